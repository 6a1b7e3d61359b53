// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/benchmark_tables.hpp"

#include "sim/base/text_file.hpp"
#include "sim/reports/tables/benchmark_lines.hpp"

namespace tutti::reports {
namespace {

constexpr std::int64_t imb_window = 64;  // default of -window_size

// A benchmark of messages: its name and pattern, in lower case.
struct MessageTest {
  std::string_view title;
  std::string_view name;
  std::string_view pattern;
};
constexpr MessageTest osu_tests[] = {
    {"latency", "osu_latency", "pingpong"},
    {"bandwidth", "osu_bw", "stream"},
    {"bi-directional bandwidth", "osu_bibw", "bidirectional"},
    {"multiple bandwidth / message rate", "osu_mbw_mr", "osu_mbw_mr"},
    {"multi latency", "osu_multi_lat", "osu_multi_lat"},
};
constexpr MessageTest other_tests[] = {
    {"pingpong", "PingPong", "pingpong"}, {"pingping", "PingPing", "pingping"},
    {"sendrecv", "Sendrecv", "sendrecv"}, {"exchange", "Exchange", "exchange"},
    {"uniband", "Uniband", "uniband"},    {"biband", "Biband", "biband"},
};

const MessageTest* find_test(std::span<const MessageTest> tests, std::string_view title) {
  const auto at = std::ranges::find(tests, title, &MessageTest::title);
  return at == tests.end() ? nullptr : &*at;
}

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? trim(text.substr(prefix.size())) : text;
}

// Without the marks of comments and of headings in Markdown.
std::string_view without_marks(std::string_view line) {
  const auto begin = line.find_first_not_of("#*` \t");
  if (begin == std::string_view::npos) return {};
  return trim(line.substr(begin, line.find_last_not_of("*` \t") + 1 - begin));
}

// "OSU MPI Broadcast Latency Test v5.9": the name of the test follows "MPI" or "MPI-CUDA". Tests of
// MPI_Put or OpenSHMEM, and nonblocking collectives, are kept under their full name.
std::optional<Heading> osu_title(std::string_view line) {
  const auto end = line.find(" Test");
  const auto words = words_in(line);
  if (end == std::string_view::npos || words.size() < 4 ||
      (words[0] != "OSU" && !words[0].starts_with("OMB")))
    return std::nullopt;
  Heading heading{.suite = "osu"};
  if (words[1] == "MPI" || words[1].starts_with("MPI-")) {
    const auto test = line.substr(static_cast<std::size_t>(words[2].data() - line.data()));
    const auto name = lower_case(test.substr(0, test.find(" Test")));
    heading.collective = collective_named(std::string_view(name).substr(0, name.find(" latency")));
    heading.on_device = words[1] != "MPI";
    if (!heading.collective.empty()) heading.benchmark = "osu_" + heading.collective;
    if (const auto* known = find_test(osu_tests, name)) {
      heading.benchmark = known->name;
      heading.pattern = known->pattern;
    }
  }
  if (heading.benchmark.empty())
    heading.benchmark = heading.pattern = trim(line.substr(0, line.rfind(" v")));
  return heading;
}

// "Bcast", "PingPong" and other benchmarks of Intel.
Heading imb_heading(std::string_view name) {
  const auto lower = lower_case(name);
  Heading heading{.benchmark = fmt::format("IMB {}", name), .suite = "imb"};
  heading.collective = collective_named(lower);
  heading.size_is_block = heading.collective == "reduce_scatter";
  if (!heading.collective.empty()) return heading;
  const auto* known = find_test(other_tests, lower);
  heading.pattern = known != nullptr ? std::string(known->pattern) : lower;
  if (lower.ends_with("band")) heading.window = imb_window;
  return heading;
}

// "OSU Allreduce with type Float32 on 4 MPI ranks", after "Running benchmark".
std::optional<Heading> julia_title(std::string_view line) {
  const auto of_type = line.find(" with type ");
  const auto on = line.rfind(" on ");
  const auto words = words_in(line);
  if (of_type == std::string_view::npos || on == std::string_view::npos || on < of_type ||
      !line.ends_with(" MPI ranks") || (words[0] != "OSU" && words[0] != "IMB"))
    return std::nullopt;
  const auto name = trim(line.substr(words[0].size(), of_type - words[0].size()));
  Heading heading{.benchmark = fmt::format("{} {}", words[0], name), .suite = "julia"};
  const auto lower = lower_case(name);
  heading.collective = collective_named(lower);
  const auto* known = find_test(words[0] == "OSU" ? std::span<const MessageTest>(osu_tests)
                                                  : std::span<const MessageTest>(other_tests),
                                lower);
  if (heading.collective.empty()) heading.pattern = known != nullptr ? known->pattern : lower;
  const auto procs = parse_integer(words_in(line.substr(on + 4)).front());
  if (procs && *procs > 0) heading.procs = *procs;
  return heading;
}

// A heading of `--format osu`: "MPI_Bcast, 576 processes, 48 per node, root 0, algorithm auto".
std::optional<Heading> own_title(std::string_view line) {
  const auto first = line.substr(0, line.find(','));
  if (!line.starts_with("MPI_") || first.find(' ') != std::string_view::npos) return std::nullopt;
  Heading heading{.benchmark = std::string(first)};
  heading.collective = collective_named(first.substr(4));
  if (heading.collective.empty()) heading.pattern = first;
  for (const auto part : split(line, ',')) {
    const auto words = words_in(part);
    if (words.size() == 3 && words[1] == "per" && words[2] == "node")
      if (const auto ppn = parse_integer(words[0])) heading.ppn = *ppn;
    if (words.size() != 2) continue;
    if (words[1].starts_with("process"))
      if (const auto procs = parse_integer(words[0])) heading.procs = *procs;
    if (words[0] == "algorithm") heading.algorithm = words[1];
  }
  return heading;
}

// A heading of `sim run pingpong --format osu`: "stream: 64 messages per window and one reply; time
// per message, inside node crill-0, latency 400 ns, ...".
std::optional<Heading> own_pair_title(std::string_view line) {
  for (const std::string_view pattern : {"pingpong", "bidirectional", "stream"}) {
    if (!line.starts_with(pattern) || !line.substr(pattern.size()).starts_with(": ")) continue;
    const bool is_intra = line.find(", inside node ") != std::string_view::npos;
    Heading heading{.benchmark = std::string(pattern),
                    .pattern = std::string(pattern),
                    .path = is_intra ? "intra" : "inter"};
    const auto words = words_in(line);
    if (pattern == "stream" && words.size() > 1)
      if (const auto window = parse_integer(words[1])) heading.window = *window;
    return heading;
  }
  return std::nullopt;
}

// The number after `before`, as in "[ pairs: 8 ]".
std::optional<std::int64_t> number_after(std::string_view line, std::string_view before) {
  const auto at = line.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  const auto words = words_in(line.substr(at + before.size()));
  if (words.empty()) return std::nullopt;
  const auto number = parse_integer(words.front());
  return number && *number > 0 ? std::optional(*number) : std::nullopt;
}

}  // namespace

std::optional<Heading> title_of(std::string_view line) {
  const bool is_comment = line.starts_with('#');
  line = without_marks(line);
  if (auto heading = osu_title(line)) return heading;
  if (line.starts_with("Benchmarking ")) return imb_heading(trim(line.substr(13)));
  if (auto heading = julia_title(without_prefix(line, "Running benchmark "))) return heading;
  if (!is_comment) return std::nullopt;
  if (auto heading = own_title(line)) return heading;
  return own_pair_title(line);
}

bool complete_heading(std::string_view line, Heading& heading) {
  line = without_marks(line);
  const auto pairs = number_after(line, "[ pairs:");
  const auto window = number_after(line, "window size:");
  const auto groups = line.starts_with("( ") && line.find(" groups of ") != std::string_view::npos
                          ? number_after(line, "( ")
                          : std::nullopt;
  const auto waiting = line.find(" additional processes waiting") != std::string_view::npos
                           ? number_after(line, "( ")
                           : std::nullopt;
  const auto procs = line.starts_with("processes =") ? number_after(line, "=") : std::nullopt;
  if (pairs || groups) heading.pairs = pairs ? pairs : groups;
  if (window) heading.window = window;
  if (procs) heading.procs = procs;
  if (waiting) heading.waiting_procs = waiting;
  return pairs || window || groups || procs || waiting;
}

std::optional<Heading> heading_of_file(const std::string& path) {
  std::string name = "_" + lower_case(std::filesystem::path(path).stem().string()) + "_";
  std::ranges::replace_if(
      name, [](char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); }, '_');
  const auto is_named = [&name](std::string_view benchmark) {
    return name.find(fmt::format("_{}_", benchmark)) != std::string::npos;
  };
  const bool is_osu = is_named("osu"), is_imb = is_named("imb");
  const bool is_julia = is_named("julia");
  std::optional<Heading> heading;
  for (const auto collective : known_collectives)
    if (!heading && is_named(collective))
      heading =
          Heading{.benchmark = std::string(collective), .collective = std::string(collective)};
  for (const auto& test : osu_tests)
    if (!heading && is_named(test.name.substr(4)))
      heading = Heading{.benchmark = std::string(test.name), .pattern = std::string(test.pattern)};
  for (const auto& test : other_tests)
    if (!heading && is_named(test.title))
      heading = Heading{.benchmark = std::string(test.name), .pattern = std::string(test.pattern)};
  if (!heading) return heading;
  heading->suite = is_julia ? "julia" : is_osu ? "osu" : is_imb ? "imb" : "unknown";
  heading->size_is_block = heading->suite == "imb" && heading->collective == "reduce_scatter";
  return heading;
}

namespace {

using Kind = TableColumn::Kind;

struct NamedUnit {
  std::string_view names;  // alternatives, separated by blanks
  Kind kind;
  double factor;
};
constexpr NamedUnit units[] = {
    {"us usec microseconds microsec", Kind::time, 1e-6},
    {"ms msec milliseconds", Kind::time, 1e-3},
    {"ns nsec nanoseconds", Kind::time, 1e-9},
    {"s sec seconds", Kind::time, 1},
    {"mb/s mbytes/sec", Kind::rate, 1e6},
    {"gb/s", Kind::rate, 1e9},
    {"mib/s", Kind::rate, 0x1p20},
    {"gib/s", Kind::rate, 0x1p30},
    {"bytes b", Kind::size, 1},
};

struct NamedQuantity {
  std::string_view heads;  // as those of units
  Kind kind;
  std::string_view column;
};
// Heads in lower case, without blanks and unit.
constexpr NamedQuantity quantities[] = {
    {"size message messagesize msgsize message_size", Kind::size, "message_bytes"},
    {"latency time t", Kind::time, "time_s"},
    {"avglatency avg_time avgtime t_avg meantime mean_time", Kind::time, "time_mean_s"},
    {"minlatency min_time mintime t_min", Kind::time, "time_min_s"},
    {"maxlatency max_time maxtime t_max", Kind::time, "time_s"},
    {"bandwidth throughput", Kind::rate, "bandwidth_Bps"},
};
// Heads that contain their unit or need no unit.
struct NamedHead {
  std::string_view heads;
  TableColumn column;
};
const std::vector<NamedHead>& whole_heads() {
  static const std::vector<NamedHead> heads = {
      {"size #bytes bytes messagesize msgsize", {"message_bytes", Kind::size, 1, "bytes"}},
      {"mb/s mbytes/sec", {"bandwidth_Bps", Kind::rate, 1e6, "MB/s"}},
      {"messages/s msg/sec", {"messages_per_s", Kind::count, 1, "messages/s"}},
      {"validation", {"", Kind::validation}},
      {"#repetitions repetitions iterations iteratons defects transmitsize overlap(%) overlap[%] "
       "alloc(b)",
       {"", Kind::ignored}},
      {"group", {"", Kind::group}},
      // Nonblocking collectives.
      {"overall(us) compute(us) coll.init(us) mpi_test(us) mpi_wait(us) purecomm.(us) "
       "mincomm.(us) maxcomm.(us) t_ovrl[usec] t_pure[usec] t_cpu[usec]",
       {"", Kind::time}},
  };
  return heads;
}

bool is_one_of(std::string_view alternatives, std::string_view word) {
  return std::ranges::count(split(alternatives, ' '), word) > 0;
}

// The column of a head in lower case, without blanks.
std::optional<TableColumn> known_column(std::string_view head) {
  for (const auto& [heads, column] : whole_heads())
    if (is_one_of(heads, head)) return column;
  if (head.starts_with('p') && head.find("tail") != std::string_view::npos)
    return TableColumn{.name = "", .kind = Kind::ignored};
  const auto open = head.find_first_of("([");
  if (open == std::string_view::npos || open + 2 > head.size()) return std::nullopt;
  const auto unit = head.substr(open + 1, head.size() - open - 2);
  for (const auto& [names, kind, factor] : units)
    for (const auto& [heads, of_kind, column] : quantities)
      if (kind == of_kind && is_one_of(names, unit) && is_one_of(heads, head.substr(0, open)))
        return TableColumn{std::string(column), kind, factor, std::string(unit)};
  return std::nullopt;
}

std::string plain_head(std::string_view head) {
  std::string plain;
  for (const char c : lower_case(head))
    if (std::string_view(" \t*`\"").find(c) == std::string_view::npos) plain += c;
  for (const std::string_view mu : {"\xc2\xb5", "\xce\xbc"})
    if (const auto at = plain.find(mu); at != std::string::npos) plain.replace(at, mu.size(), "u");
  return plain;
}

// Appends the heads of a group of words that are separated by single blanks: "Size Avg Latency(us)"
// has two. False if a word is unknown.
bool add_known_heads(std::string_view group, std::vector<TableColumn>& columns) {
  constexpr std::size_t most_words = 4;
  const auto words = words_in(group);
  for (std::size_t i = 0; i < words.size();) {
    std::string head;
    std::optional<TableColumn> known;
    std::size_t next = i;
    for (std::size_t n = i; n < std::min(words.size(), i + most_words); ++n) {
      head += plain_head(words[n]);
      if (auto longer = known_column(head)) {
        known = std::move(longer);
        next = n + 1;
      }
    }
    if (!known) return false;
    columns.push_back(*std::move(known));
    i = next;
  }
  return true;
}

// Groups of words that are separated by at least two blanks.
std::vector<std::string_view> groups_in(std::string_view line) {
  std::vector<std::string_view> groups;
  while (!line.empty()) {
    const auto end = std::min({line.find("  "), line.find('\t'), line.size()});
    if (end > 0) groups.push_back(line.substr(0, end));
    line = trim(line.substr(end));
  }
  return groups;
}

std::optional<std::vector<TableColumn>> heads_between_blanks(std::string_view line,
                                                             bool is_comment) {
  std::vector<TableColumn> columns;
  if (add_known_heads(line, columns)) return columns;
  if (!is_comment) return std::nullopt;
  columns.clear();
  for (const auto group : groups_in(line)) {
    std::vector<TableColumn> known;
    if (!add_known_heads(group, known)) known = {{.name = "", .kind = Kind::ignored}};
    std::ranges::move(known, std::back_inserter(columns));
  }
  return columns;
}

}  // namespace

std::vector<std::string_view> cells_of(std::string_view row, char separator) {
  if (separator == ' ') return words_in(row);
  if (separator == '|') {
    if (row.starts_with('|')) row.remove_prefix(1);
    if (row.ends_with('|')) row.remove_suffix(1);
  }
  std::vector<std::string_view> cells;
  for (const auto cell : split(row, separator)) cells.push_back(trim(cell));
  return cells;
}

std::optional<TableHead> head_of(std::string_view line) {
  constexpr std::size_t longest = 1000;
  if (line.size() > longest || line.find_first_of("([/") == std::string_view::npos)
    return std::nullopt;  // a measured column has a unit
  const bool is_comment = line.starts_with('#');
  if (const auto begin = line.find_first_not_of("# \t");
      is_comment && begin != std::string_view::npos)
    line = line.substr(begin - (begin == 1 ? 1 : 0));  // "#bytes" is a head
  if (line.starts_with('#') && !line.starts_with("#bytes") && !line.starts_with("#repetitions"))
    line.remove_prefix(1);
  TableHead head;
  for (const char separator : {'|', ',', ';'})
    if (head.separator == ' ' && line.find(separator) != std::string_view::npos)
      head.separator = separator;
  if (head.separator != ' ') {
    for (const auto cell : cells_of(line, head.separator))
      head.columns.push_back(
          known_column(plain_head(cell)).value_or(TableColumn{std::string(cell)}));
  } else if (auto columns = heads_between_blanks(line, is_comment)) {
    head.columns = *std::move(columns);
  }
  const auto has = [&head](std::initializer_list<Kind> kinds) {
    return std::ranges::any_of(head.columns, [&](const TableColumn& column) {
      return std::ranges::find(kinds, column.kind) != kinds.end();
    });
  };
  const bool is_measured = has({Kind::time, Kind::rate, Kind::count});
  const bool has_no_size = is_comment || line.starts_with("#repetitions");
  if (!is_measured || !(has({Kind::size}) || (has_no_size && head.separator == ' ')))
    return std::nullopt;
  std::set<std::string_view> names;
  for (const auto& column : head.columns)
    if (!column.name.empty() && !names.insert(column.name).second && head.twice.empty())
      head.twice = column.name;
  return head;
}

}  // namespace tutti::reports
