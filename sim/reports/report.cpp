// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/report.hpp"

#include "platforms/parameters/routing.hpp"
#include "platforms/topology_description.hpp"
#include "sim/base/printable_text.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/accelerators.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/record_table.hpp"
#include "sim/reports/text_table.hpp"
#include "sim/reports/version.hpp"
#include "sim/reports/wrap.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::reports {
namespace {

struct FormatEntry {
  std::string_view name;
  std::string_view extension;
  Format format;
};
constexpr std::array formats = {
    FormatEntry{"text", ".txt", Format::text},  FormatEntry{"csv", ".csv", Format::csv},
    FormatEntry{"json", ".json", Format::json}, FormatEntry{"jsonl", ".jsonl", Format::jsonl},
    FormatEntry{"osu", ".osu", Format::osu},    FormatEntry{"md", ".md", Format::md},
};

}  // namespace

std::string Provenance::platform_name() const {
  std::string names;
  for (const PlatformSource& each : platforms) {
    const bool is_last = &each == &platforms.back();
    names += (names.empty() ? "" : is_last ? " and " : ", ") + each.name;
  }
  return names;
}

std::string routing_of(const platforms::Machine& machine) {
  using platforms::Routing;
  std::vector<std::string> parts;
  if (machine.routing != Routing::fixed)
    parts.push_back(fmt::format("routing {}", platforms::routing_name(machine.routing)));
  if (machine.routing > Routing::split)
    parts.back() += fmt::format(" ({} shortest, {} detours)", machine.adaptive_shortest,
                                machine.adaptive_detours);
  if (machine.spreads_jobs) parts.push_back("jobs spread over the nodes");
  if (machine.stripe_from)
    parts.push_back(fmt::format("{} rails from {} on", machine.topology->rails(),
                                format_bytes(*machine.stripe_from)));
  else if (machine.topology->rails() > 1)
    parts.push_back(fmt::format("{} rails, one per rank", machine.topology->rails()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string background_of(const platforms::Machine& machine) {
  const auto found =
      std::ranges::find(machine.given, "mpi/background", &platforms::GivenParameter::key);
  return machine.background_Bps && found != machine.given.end() ? found->value : "";
}

// Links at either end of a route that only its node uses.
std::size_t own_links(const platforms::Topology& topology) {
  return topology.describe().forwards ? 0 : topology.nic_links();
}

// The largest fraction of a link that a background of jobs takes, except links of its nodes' NICs.
double busiest_fraction(const platforms::Machine& machine) {
  const auto& topology = *machine.topology;
  const auto& nodes = machine.background_nodes;
  auto load_Bps = *machine.background_Bps;
  std::vector<platforms::LinkId> route;
  for (std::size_t i = 0; i < nodes.size() && nodes.size() > 1; ++i) {
    route.clear();
    topology.route(nodes[i], nodes[(i + 1) % nodes.size()], route);
    const std::size_t own = std::min(own_links(topology), route.size());
    for (std::size_t link = 0; link < own; ++link)
      load_Bps[route[link]] = load_Bps[route[route.size() - 1 - link]] = 0;
  }
  double most = 0;
  for (platforms::LinkId id = 0; id < load_Bps.size(); ++id)
    most = std::max(most, load_Bps[id] / topology.link(id).bandwidth_Bps);
  return most;
}

std::string about_background(const platforms::Machine& machine) {
  if (!machine.background_Bps) return {};
  const auto& nodes = machine.background_nodes;
  if (nodes.empty())
    return fmt::format("traffic of other jobs, at most {:.2g} % of a link",
                       busiest_fraction(machine) * 100);
  const auto name_of = [&](platforms::HostId node) { return machine.topology->host_name(node); };
  return fmt::format(
      "mean traffic of jobs on {} from {} to {}, without bursts, at most {:.0f} % of a link{}; "
      "exact: `sim run FILE` with all jobs",
      counted(nodes.size(), "node"), name_of(nodes.front()), name_of(nodes.back()),
      busiest_fraction(machine) * 100,
      own_links(*machine.topology) > 0 ? " beyond their NICs" : "");
}

PlatformSource platform_source(const platforms::Machine& machine, const std::string& given_name) {
  // A file is read by the given name; the catalog has its own paths.
  return {.name = machine.name,
          .file = given_name,
          .from_catalog = machine.file != given_name,
          .hash = machine.content_hash,
          .size = platforms::size_of(machine),
          .routing = routing_of(machine),
          .background = background_of(machine),
          .background_about = about_background(machine),
          .accelerators = machine.info("accelerators"),
          .ranks = jobs::meaning_of_ranks(machine)};
}

Provenance plain_provenance(const std::string& command) {
  return {.version = version(),
          .commit = commit(),
          .simgrid_version = engines::simgrid_version(),
          .command = command};
}

Provenance provenance_of(const platforms::Machine& machine, const std::string& given_name,
                         const std::vector<platforms::Override>& overrides,
                         const std::string& command) {
  Provenance from = plain_provenance(command);
  from.platforms = {platform_source(machine, given_name)};
  from.overrides = overrides;
  return from;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& entry : formats) names.emplace_back(entry.name);
  return names;
}

std::optional<Format> format_of(std::string_view name) {
  for (const auto& entry : formats)
    if (entry.name == name) return entry.format;
  return std::nullopt;
}

std::string name_of(Format format) {
  return std::string(std::ranges::find(formats, format, &FormatEntry::format)->name);
}

std::optional<Format> format_of_file(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  for (const auto& entry : formats)
    if (entry.extension == extension) return entry.format;
  return std::nullopt;
}

std::string render(const Report& report, Format format, std::optional<std::size_t> width) {
  if (format == Format::osu) return render_osu(report);
  return render_records(report, format, width, [&] {
    return format == Format::text ? text_table(report, width) : text_table(report);
  });
}

namespace {

constexpr std::string_view comment_sign = "# ";

// Prefixes every line with '#', so that gnuplot and awk skip it. Indents the continuation lines of
// long sentences.
std::string comment(const std::string& sentence, bool is_plain = false) {
  if (is_plain) return paragraph(printable(sentence), 0);
  std::string lines;
  for (const auto& line : wrap(printable_lines(sentence), page_width - 4))
    lines += (lines.empty() ? "# " : "#   ") + line + '\n';
  return lines;
}

std::string padded(const std::string& text, std::size_t width, bool left) {
  return left ? fmt::format("{:<{}}", text, width) : fmt::format("{:>{}}", text, width);
}

// `widths`: width of each column.
template <class TextOf>
std::string line_of(const TextTable& table, const std::vector<std::size_t>& widths,
                    const TextOf& text_of) {
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) line.append(table.gap, ' ');
    line += padded(text_of(table.columns[i]), widths[i], table.columns[i].left);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::vector<TextColumn> take_below(TextTable& table) {
  const auto below = std::ranges::stable_partition(
      table.columns, [](const TextColumn& column) { return !column.is_below; });
  std::vector<TextColumn> taken(below.begin(), below.end());
  table.columns.erase(below.begin(), below.end());
  return taken;
}

std::string paragraphs_of(const std::vector<TextColumn>& below, std::size_t row,
                          std::size_t indent) {
  std::string text;
  for (const auto& [head, cells, left, spare, may_shorten, is_below] : below)
    if (cells[row] != no_value)
      text += paragraph(head.empty() ? cells[row] : head + ": " + cells[row], indent);
  return text;
}

}  // namespace

std::string comment_lines(const std::vector<std::string>& sentences, bool is_plain) {
  std::string text;
  for (const auto& sentence : sentences) text += comment(sentence, is_plain);
  return text;
}

std::string table_text(TextTable table, std::optional<std::size_t> width) {
  std::string text;
  if (table.columns.empty()) return text;
  for (auto& column : table.columns) {
    column.head = printable(column.head);
    for (auto& cell : column.cells)
      cell = column.is_below ? printable_lines(cell) : printable(cell);
  }
  const auto below = take_below(table);
  const std::string indent(table.is_plain && !table.group_titles.empty() ? 2 : 0, ' ');
  // As in OSU's output, the heads are a comment, too.
  table.columns.front().head.insert(0, table.is_plain ? indent : comment_sign);
  for (auto& cell : table.columns.front().cells) cell.insert(0, indent);
  if (width || table.is_plain) fit(table, width.value_or(page_width));
  std::vector<std::size_t> widths;
  for (const auto& column : table.columns) widths.push_back(column.width());
  if (auto& first = table.columns.front(); !table.is_plain && !first.left)
    first.head = '#' + padded(first.head.substr(1), widths.front() - 1, false);
  text += line_of(table, widths, [](const TextColumn& column) { return column.head; });
  if (table.is_plain && text == "\n") text.clear();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.starts_group[row] && row > 0) text += '\n';
    if (table.starts_group[row] && !table.group_titles.empty())
      text += table.is_plain ? paragraph(printable(table.group_titles[row]), 0)
                             : comment(table.group_titles[row]);
    text += line_of(table, widths, [&](const TextColumn& column) { return column.cells[row]; });
    text += paragraphs_of(below, row, indent.size() + 4);
  }
  return text + comment_lines(table.notes, table.is_plain);
}

std::string text_page(const ReportHead& report, TextTable table, std::optional<std::size_t> width) {
  std::string page = comment_lines(table.title) + comment_lines(provenance_lines(report));
  page += table_text(std::move(table), width);
  if (report.critical_path) page += critical_path_text(*report.critical_path);
  return page;
}

namespace {

std::string markdown_escaped(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '|' || c == '*' || c == '_' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

template <class TextOf>
std::string line_of(const TextTable& table, const TextOf& text_of) {
  std::string line = "|";
  for (const auto& column : table.columns) line += ' ' + text_of(column) + " |";
  return line + '\n';
}

}  // namespace

std::string markdown_list(const std::vector<std::string>& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += "* " + markdown_escaped(sentence) + '\n';
  return text;
}

std::string markdown_table(const TextTable& table) {
  std::string text;
  if (table.columns.empty()) return text;
  text +=
      '\n' + line_of(table, [](const TextColumn& column) { return markdown_escaped(column.head); });
  text += line_of(table, [](const TextColumn& c) { return std::string(c.left ? ":--" : "--:"); });
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.starts_group[row] && !table.group_titles.empty())
      text += fmt::format("| **{}** |\n", markdown_escaped(table.group_titles[row]));
    text += line_of(table,
                    [&](const TextColumn& column) { return markdown_escaped(column.cells[row]); });
  }
  if (!table.notes.empty()) text += '\n';
  return text + markdown_list(table.notes);
}

std::string markdown_page(const ReportHead& report, const TextTable& table) {
  return markdown_list(table.title) + markdown_list(provenance_lines(report)) +
         markdown_table(table);
}

namespace {

using jobs::Record;

// The series of a record: all parameters except the size and values that rules chose. Each series
// is one OSU table.
auto series_of(const Record& record) {
  const bool automatic = workloads::is_automatic(record.requested_algorithm);
  return std::tuple(record.requested_algorithm, record.procs, record.ppn, record.root,
                    automatic ? 0 : record.fanout.value_or(0),
                    automatic ? 0 : record.segment_bytes);
}

std::pair<std::string, const char*> osu_head(const Record& record) {
  const auto [algorithm, procs, ppn, root, fanout, segment] = series_of(record);
  std::string head =
      fmt::format("{}, {}, {}{}, algorithm {}", mpi_name(record.collective), processes(procs),
                  per_node(record), root ? fmt::format(", root {}", *root) : "", algorithm);
  if (segment > 0) head += fmt::format(", segment {}", format_bytes(segment));
  if (fanout > 0) head += fmt::format(", fan-out {}", fanout);
  return {head, "Avg Latency(us)"};
}

}  // namespace

// Columns as wide as those of the OSU benchmarks (10 and 18 characters).
std::string render_osu(const Report& report) {
  return osu_page(
      report, 18, [](auto& record) { return series_of(record); }, osu_head,
      [](const Record& record) {
        TUTTI_CHECK(record.time_mean_s, "OSU's format needs times");
        return *record.time_mean_s * 1e6;
      });
}

// Fitting text tables to a width.

std::size_t TextColumn::width() const {
  std::size_t most = count_characters(head);
  for (const auto& cell : cells) most = std::max(most, count_characters(cell));
  return most;
}

std::size_t TextTable::width() const {
  std::size_t sum = 0;
  for (const auto& each : columns) sum += each.width() + gap;
  return sum == 0 ? 0 : sum - gap;
}

std::string shortened(const std::string& text, std::size_t most) {
  constexpr std::string_view between = "...";
  const std::size_t all = count_characters(text);
  if (all <= most) return text;
  const std::size_t kept = most - between.size();
  std::string made;
  for (std::size_t i = 0, character = 0; i < text.size(); ++character) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, i));
    if (character == kept / 2) made += between;
    if (character < kept / 2 || character >= all - (kept - kept / 2)) made.append(text, i, length);
    i += length;
  }
  return made;
}

namespace {

// Shortens names until the table fits `width`, but not below `least` characters. Returns true if it
// shortened any.
bool shorten(TextTable& table, std::size_t width, std::size_t least) {
  bool any = false;
  for (auto& column : table.columns) {
    const std::size_t now = column.width(), all = table.width();
    if (!column.may_shorten || all <= width || now <= least) continue;
    const std::size_t most = std::max(least, now - std::min(now, all - width));
    for (auto& cell : column.cells) cell = shortened(cell, most);
    any = true;
  }
  return any;
}

}  // namespace

void fit(TextTable& table, std::size_t width) {
  constexpr std::size_t readable = 30, least_readable = 16;  // characters of a name
  const auto fits = [&](std::size_t gap) {
    table.gap = gap;
    return table.width() <= width;
  };
  bool is_short = !fits(1) && shorten(table, width, readable);
  std::string omitted;
  while (!fits(1)) {
    const auto spare = std::max_element(
        table.columns.begin(), table.columns.end(),
        [](const TextColumn& a, const TextColumn& b) { return a.spare < b.spare; });
    if (spare == table.columns.end() || spare->spare == 0) break;
    omitted += (omitted.empty() ? "" : ", ") + spare->head;
    table.columns.erase(spare);
  }
  is_short |= !fits(1) && shorten(table, width, least_readable);
  if (!fits(2)) table.gap = 1;
  if (is_short)
    table.notes.push_back(
        fmt::format("long names are shortened ({} prints them in full)", table.all_columns));
  if (!omitted.empty())
    table.notes.push_back(fmt::format("omitted for lack of width: {} ({} prints all columns)",
                                      omitted, table.all_columns));
}

}  // namespace tutti::reports
