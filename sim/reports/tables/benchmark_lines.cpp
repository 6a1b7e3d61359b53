// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/benchmark_lines.hpp"

#include "sim/base/text_file.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<std::string_view> BenchmarkLines::next() {
  if (rest_.empty()) return std::nullopt;
  const auto end = std::min(rest_.find('\n'), rest_.size());
  const auto line = trim(rest_.substr(0, end));
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return line;
}

Error BenchmarkLines::error(std::string_view at, std::string message, std::string hint) const {
  return error_at(text_, static_cast<std::size_t>(at.data() - text_.data()), path_,
                  std::move(message), std::move(hint));
}

std::optional<Error> BenchmarkLines::add_row(std::string_view line,
                                             const std::vector<std::string>& columns,
                                             TableBuilder& table) const {
  constexpr double seconds_per_us = 1e-6;
  constexpr double Bps_per_MBps = 1e6;
  const auto words = words_in(line);
  if (words.size() != columns.size())
    return error(line, fmt::format("expected {} values, found {}", columns.size(), words.size()));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (columns[i].empty()) continue;
    const bool is_time = columns[i].ends_with("_s");
    const bool is_rate = columns[i].ends_with("_Bps");
    const auto number = parse_number(words[i]);
    const auto whole = parse_integer(words[i]);
    if (is_time || is_rate ? !number || *number < 0 : !whole || *whole < 0)
      return error(words[i], is_time   ? "expected a time in us"
                             : is_rate ? "expected a rate in MB/s"
                                       : "expected a number of bytes");
    table.set(columns[i], is_time   ? Cell{*number * seconds_per_us}
                          : is_rate ? Cell{*number * Bps_per_MBps}
                                    : Cell{*whole});
  }
  return std::nullopt;
}

// "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)", times in us.
// The measured values are the PRTT and o_r; L, g and G in the file are running fits.

namespace {

constexpr std::size_t least_words = 8;

std::optional<Error> add_row(const BenchmarkLines& lines, std::string_view line,
                             TableBuilder& table) {
  constexpr double seconds_per_us = 1e-6;
  const auto words = words_in(line);
  if (words.size() < least_words)
    return lines.error(line, "expected a row of Netgauge's loggp pattern");
  const auto bytes = parse_integer(words[0]);
  const auto messages = parse_integer(words[1]);
  if (!bytes || *bytes < 0) return lines.error(words[0], "expected a number of bytes");
  if (!messages || *messages < 2)
    return lines.error(words[1], "expected a number of messages, at least 2");
  std::vector<double> numbers;
  for (std::size_t i = 2; i < least_words; ++i) {
    const auto number = parse_number(words[i]);
    if (!number) return lines.error(words[i], "expected a time in us");
    numbers.push_back(*number * seconds_per_us);
  }
  const double rtt_s = numbers[0];
  table.begin_row(lines.number());
  table.set("message_bytes", *bytes);
  table.set("rtt_s", rtt_s);
  table.set("interval_s", (numbers[1] - rtt_s) / static_cast<double>(*messages - 1));
  table.set("o_send_s", numbers[4]);
  table.set("o_recv_s", numbers[5]);
  return std::nullopt;
}

}  // namespace

Result<ResultFile> read_netgauge(std::string_view text, const std::string& path) {
  BenchmarkLines lines(text, path);
  ResultFile file;
  TableBuilder table;
  while (const auto line = lines.next()) {
    if (line->empty() || line->starts_with('#')) continue;
    if (auto error = add_row(lines, *line, table)) return *std::move(error);
  }
  file.table = table.take();
  return file;
}

// NetPIPE prints "  0:       1 bytes   7000 times -->      1.2 Mbps in       6.3 usec" on the
// screen and writes "       1 1.213000   0.00000629" to np.out. Times are half of the round trip.

namespace {

constexpr std::string_view arrow = "-->";

void add(TableBuilder& table, int line, std::int64_t bytes, double time_s) {
  table.begin_row(line);
  table.set("pattern", std::string("pingpong"));
  table.set("message_bytes", bytes);
  table.set("time_s", time_s);
}

// A row of the screen output: "-->" follows the number of repetitions.
std::optional<Error> add_screen_row(const BenchmarkLines& lines, std::string_view line,
                                    TableBuilder& table) {
  const auto words = words_in(line);
  const auto at = static_cast<std::size_t>(std::ranges::find(words, arrow) - words.begin());
  constexpr std::size_t behind = 6;  // --> RATE Mbps in TIME usec
  if (at < 4 || words.size() < at + behind) return lines.error(line, "expected a row of NetPIPE");
  const auto bytes = parse_integer(words[at - 4]);
  const auto time = parse_number(words[at + 4]);
  const bool microseconds = words[at + 5].starts_with("usec");
  if (!bytes || *bytes < 0) return lines.error(words[at - 4], "expected a number of bytes");
  if (!time || *time <= 0 || !microseconds)
    return lines.error(words[at + 4], "expected a time in usec");
  add(table, lines.number(), *bytes, *time * 1e-6);
  return std::nullopt;
}

// True if `rate` is that of `bytes` in `time_s`, in Mb/s with 10^6 or 2^20 bits.
bool agree(double bytes, double rate, double time_s) {
  constexpr double rounding = 0.03;
  const double Mbps = 8 * bytes / time_s / 1e6;
  constexpr double binary = 1048576e-6;
  return std::abs(rate / Mbps - 1) <= rounding || std::abs(rate * binary / Mbps - 1) <= rounding;
}

std::optional<Error> add_file_row(const BenchmarkLines& lines, std::string_view line,
                                  TableBuilder& table) {
  const auto words = words_in(line);
  if (words.size() != 3) return lines.error(line, "expected NetPIPE's three columns");
  const auto bytes = parse_integer(words[0]);
  const auto rate = parse_number(words[1]);
  const auto time_s = parse_number(words[2]);
  if (!bytes || *bytes < 0) return lines.error(words[0], "expected a number of bytes");
  if (!rate || !time_s || *time_s <= 0) return lines.error(words[2], "expected a time in s");
  constexpr Bytes many = 64;  // smaller sizes are printed with too few digits to check
  if (*bytes >= many && !agree(static_cast<double>(*bytes), *rate, *time_s))
    return lines.error(line, "inconsistent columns: expected bytes, Mb/s and seconds");
  add(table, lines.number(), *bytes, *time_s);
  return std::nullopt;
}

}  // namespace

bool is_netpipe(std::string_view text) {
  const auto first = trim(text.substr(0, text.find('\n')));
  if (text.find("times -->") != std::string_view::npos) return true;
  const auto words = words_in(first);
  return words.size() == 3 && std::ranges::all_of(words, [](std::string_view word) {
           return static_cast<bool>(parse_number(word));
         });
}

Result<ResultFile> read_netpipe(std::string_view text, const std::string& path) {
  BenchmarkLines lines(text, path);
  const bool screen = text.find(arrow) != std::string_view::npos;
  ResultFile file;
  TableBuilder table;
  while (const auto line = lines.next()) {
    if (line->empty() || line->starts_with('#')) continue;
    if (screen && line->find(arrow) == std::string_view::npos) continue;
    auto error = screen ? add_screen_row(lines, *line, table) : add_file_row(lines, *line, table);
    if (error) return *std::move(error);
  }
  file.table = table.take();
  return file;
}

// Blocks of the Intel MPI Benchmarks: "# Benchmarking Bcast", "# #processes = 16", a line of
// column names, rows up to a blank line. Blocks of collectives and of PingPong (`pattern`
// "pingpong", times are half of the round trip) are read, all others are skipped.

namespace {

std::vector<std::string> imb_columns(std::string_view header) {
  std::vector<std::string> columns;
  bool has_times = false;
  for (const auto name : words_in(header)) {
    columns.emplace_back(name == "#bytes"        ? "message_bytes"
                         : name == "t_min[usec]" ? "time_min_s"
                         : name == "t_max[usec]" ? "time_s"
                         : name == "t_avg[usec]" ? "time_mean_s"
                         : name == "t[usec]"     ? "time_s"
                                                 : "");
    has_times |= columns.back() == "time_s";
  }
  return has_times ? columns : std::vector<std::string>{};
}

struct Block {
  std::string collective;
  std::string pattern;
  std::optional<std::int64_t> procs;
  std::vector<std::string> columns;
};

void take_comment_of(std::string_view comment, Block& block, ResultFile& file) {
  constexpr std::string_view benchmark = "Benchmarking";
  constexpr std::string_view processes = "#processes =";
  if (comment.starts_with(benchmark)) {
    const auto name = trim(comment.substr(benchmark.size()));
    block = {collective_named(name), name == "PingPong" ? "pingpong" : "", std::nullopt, {}};
  } else if (comment.starts_with(processes)) {
    const auto procs = parse_integer(trim(comment.substr(processes.size())));
    if (procs) block.procs = *procs;
  } else if (comment.find_first_not_of("-") != std::string_view::npos) {
    take_comment(comment, file);
  }
}

// True for a line that the benchmark prints instead of times that it did not measure.
bool is_unmeasured(std::string_view line) {
  return line.find("out-of-mem") != std::string_view::npos ||
         line.find("int-overflow") != std::string_view::npos ||
         line.find("time-out") != std::string_view::npos;
}

}  // namespace

Result<ResultFile> read_imb(std::string_view text, const std::string& path) {
  BenchmarkLines lines(text, path);
  ResultFile file;
  TableBuilder table;
  Block block;
  while (const auto line = lines.next()) {
    if (line->empty()) {
      block.columns.clear();
    } else if (line->starts_with("#bytes") || line->starts_with("#repetitions")) {
      block.columns = imb_columns(*line);
    } else if (line->starts_with('#')) {
      take_comment_of(trim(line->substr(1)), block, file);
    } else if ((block.collective.empty() && block.pattern.empty()) || block.columns.empty()) {
      continue;
    } else if (is_unmeasured(*line)) {
      file.failed.emplace_back(*line);
    } else {
      table.begin_row(lines.number());
      if (!block.collective.empty()) table.set("collective", block.collective);
      if (!block.pattern.empty()) table.set("pattern", block.pattern);
      if (block.procs) table.set("procs", *block.procs);
      if (auto error = lines.add_row(*line, block.columns, table)) return *std::move(error);
    }
  }
  file.table = table.take();
  return file;
}

// "# OSU MPI Broadcast Latency Test v5.9", "# Size       Avg Latency(us) ...", rows. OSU's average
// over the ranks becomes `time_mean_s`; with -f there are also `time_min_s` and the maximum,
// `time_s`. For osu_latency, osu_bw and osu_bibw, `pattern` is the name that `sim run pingpong`
// uses; reports of `sim run pingpong --format osu` also have `path` and `window`. For all other
// tests, `pattern` is the name of the test.

namespace {

// The table's column for each name of the header, such as "Avg Latency(us)"; empty for unknown
// names. Names are separated by at least two spaces.
std::vector<std::string> osu_columns(std::string_view header) {
  std::vector<std::string> columns;
  while (!header.empty()) {
    const auto end = std::min(header.find("  "), header.size());
    const auto name = header.substr(0, end);
    header = trim(header.substr(end));
    columns.emplace_back(name == "Size"               ? "message_bytes"
                         : name == "Avg Latency(us)"  ? "time_mean_s"
                         : name == "Min Latency(us)"  ? "time_min_s"
                         : name == "Max Latency(us)"  ? "time_s"
                         : name == "Latency (us)"     ? "time_s"
                         : name == "Bandwidth (MB/s)" ? "bandwidth_Bps"
                                                      : "");
  }
  return columns;
}

// "OSU MPI Broadcast Latency Test v5.9" and "OSU MPI-CUDA Broadcast ..." -> "bcast".
std::string collective_of(std::string_view test) {
  return collective_named(test.substr(0, test.find(" Latency")));
}

// Applies to the rows below it, up to the next header.
struct Heading {
  std::string collective = {};
  std::string pattern = {};
  std::string algorithm = {};
  std::optional<std::int64_t> procs = {};
  std::string path = {};
  std::optional<std::int64_t> window = {};
};

// "Latency Test v5.9" -> "pingpong"; empty if it is not a test between two processes.
std::string pattern_of(std::string_view test) {
  if (test.starts_with("Bi-Directional Bandwidth Test")) return "bidirectional";
  if (test.starts_with("Bandwidth Test")) return "stream";
  return test.starts_with("Latency Test") ? "pingpong" : "";
}

// "OSU MPI Latency Test v5.9": the name of the test follows "MPI" or "MPI-CUDA". Tests of MPI_Put
// or OpenSHMEM are kept under their full name.
Heading titled(std::string_view title) {
  const auto words = words_in(title);
  const bool of_messages = words.size() > 2 && (words[1] == "MPI" || words[1].starts_with("MPI-"));
  Heading heading;
  if (of_messages) {
    const auto test = title.substr(static_cast<std::size_t>(words[2].data() - title.data()));
    heading = {.collective = collective_of(test), .pattern = pattern_of(test)};
  }
  if (heading.collective.empty() && heading.pattern.empty())
    heading.pattern = trim(title.substr(0, title.rfind(" v")));
  return heading;
}

// A heading of `--format osu`: "MPI_Bcast, 576 processes, 48 per node, root 0, algorithm auto".
Heading heading_of(std::string_view comment) {
  Heading heading;
  const auto first = comment.substr(0, comment.find(','));
  heading.collective = collective_named(first.substr(std::min<std::size_t>(4, first.size())));
  if (heading.collective.empty()) heading.pattern = first;
  for (const auto part : split(comment, ',')) {
    const auto words = words_in(part);
    if (words.size() != 2) continue;
    if (words[1].starts_with("process"))
      if (const auto procs = parse_integer(words[0])) heading.procs = *procs;
    if (words[0] == "algorithm") heading.algorithm = words[1];
  }
  return heading;
}

// A heading of `sim run pingpong --format osu`: "stream: 64 messages per window and one reply; time
// per message, inside node crill-0, latency 400 ns, ...".
std::optional<Heading> pair_heading_of(std::string_view comment) {
  for (const std::string_view pattern : {"pingpong", "bidirectional", "stream"}) {
    if (!comment.starts_with(pattern) || !comment.substr(pattern.size()).starts_with(": "))
      continue;
    const bool is_intra = comment.find(", inside node ") != std::string_view::npos;
    Heading heading{.pattern = std::string(pattern), .path = is_intra ? "intra" : "inter"};
    const auto words = words_in(comment);
    if (pattern == "stream" && words.size() > 1)
      if (const auto window = parse_integer(words[1])) heading.window = *window;
    return heading;
  }
  return std::nullopt;
}

void begin_row(int line, const Heading& heading, TableBuilder& table) {
  table.begin_row(line);
  if (!heading.collective.empty()) table.set("collective", heading.collective);
  if (!heading.pattern.empty()) table.set("pattern", heading.pattern);
  if (!heading.algorithm.empty()) table.set("requested_algorithm", heading.algorithm);
  if (heading.procs) table.set("procs", *heading.procs);
  if (!heading.path.empty()) table.set("path", heading.path);
  if (heading.window) table.set("window", *heading.window);
}

}  // namespace

Result<ResultFile> read_osu(std::string_view text, const std::string& path) {
  BenchmarkLines lines(text, path);
  ResultFile file;
  TableBuilder table;
  Heading heading;
  std::vector<std::string> columns;
  while (const auto line = lines.next()) {
    if (line->empty()) continue;
    if (!line->starts_with('#')) {
      if (columns.empty())
        return lines.error(*line, "row without a header above it",
                           "expected a header such as '# Size  Avg Latency(us)'");
      begin_row(lines.number(), heading, table);
      if (auto error = lines.add_row(*line, columns, table)) return *std::move(error);
      continue;
    }
    const auto comment = trim(line->substr(1));
    if (comment.find("Avg Latency(us)") != std::string_view::npos || comment.starts_with("Size  "))
      columns = osu_columns(comment);
    else if (comment.starts_with("OSU "))
      heading = titled(comment);
    else if (comment.starts_with("MPI_"))
      heading = heading_of(comment);
    else if (const auto of_pair = pair_heading_of(comment))
      heading = *of_pair;
    take_comment(comment, file);
  }
  file.table = table.take();
  finish_comments(file);
  return file;
}

}  // namespace tutti::reports
