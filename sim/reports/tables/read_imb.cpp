// SPDX-License-Identifier: BSD-3-Clause
// Blocks of the Intel MPI Benchmarks: "# Benchmarking Bcast", "# #processes = 16", a line of
// columns, rows up to a blank line. Of PingPong, whose time is half of a round trip, `pattern`;
// other blocks without times over ranks are left out.
#include "sim/base/error_list.hpp"
#include "sim/base/line_reader.hpp"
#include "sim/base/units.hpp"
#include "sim/reports/tables/benchmark_lines.hpp"
#include "sim/reports/tables/provenance_comment.hpp"

namespace tutti::reports {
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

// What the benchmark prints in place of times that it did not measure.
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

}  // namespace tutti::reports
