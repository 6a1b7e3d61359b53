// SPDX-License-Identifier: BSD-3-Clause
// "# OSU MPI Broadcast Latency Test v5.9", "# Size       Avg Latency(us) ...", rows. OSU's average
// is over the ranks: `time_mean_s`; with -f there are `time_min_s` and `time_s`, the maximum. Of
// osu_latency, osu_bw and osu_bibw: `pattern` as `sim run pingpong` names it; of that, printed with
// `--format osu`, also `path` and `window`. Of tests that are neither, `pattern` is their name.
#include <fmt/format.h>

#include "sim/base/error_list.hpp"
#include "sim/base/line_reader.hpp"
#include "sim/base/split.hpp"
#include "sim/base/units.hpp"
#include "sim/reports/tables/benchmark_lines.hpp"
#include "sim/reports/tables/provenance_comment.hpp"

namespace tutti::reports {
namespace {

// "Avg Latency(us)" and the like, separated by two blanks at least; the column's name in a table,
// or none.
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

// What holds for the rows below, until the next header.
struct Heading {
  std::string collective = {};
  std::string pattern = {};
  std::string algorithm = {};
  std::optional<std::int64_t> procs = {};
  std::string path = {};
  std::optional<std::int64_t> window = {};
};

// "Latency Test v5.9" -> "pingpong"; empty: no test of one message's way between two processes.
std::string pattern_of(std::string_view test) {
  if (test.starts_with("Bi-Directional Bandwidth Test")) return "bidirectional";
  if (test.starts_with("Bandwidth Test")) return "stream";
  return test.starts_with("Latency Test") ? "pingpong" : "";
}

// "OSU MPI Latency Test v5.9": the test behind "MPI" or "MPI-CUDA"; not behind "MPI_Put" and
// "OpenSHMEM", which are known by their names alone.
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

// Of `--format osu`: "MPI_Bcast, 576 processes, 48 per node, root 0, algorithm auto".
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

// Of `sim run pingpong --format osu`: "stream: 64 messages in a window and one answer; per message,
// inside node crill-0, latency 400 ns, ...".
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
        return lines.error(*line, "numbers without a header above them",
                           "the header of OSU's collectives is '# Size  Avg Latency(us)'");
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
