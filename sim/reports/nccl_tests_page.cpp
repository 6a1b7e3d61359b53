// SPDX-License-Identifier: BSD-3-Clause
// Records as nccl-tests prints them: a head for each series, with its GPUs, and a row for each
// size. In place and out of place are the same for the simulation. Read by read_nccl_tests.cpp.
#include "sim/jobs/bus_bandwidth.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/record_table.hpp"

namespace tutti::reports {
namespace {

using jobs::Record;

std::string_view nccl_program(std::string_view collective) {
  constexpr std::pair<std::string_view, std::string_view> programs[] = {
      {"allreduce", "all_reduce_perf"},
      {"allgather", "all_gather_perf"},
      {"bcast", "broadcast_perf"},
      {"reduce", "reduce_perf"},
      {"reduce_scatter", "reduce_scatter_perf"},
      {"reduce_scatter_block", "reduce_scatter_perf"},
      {"alltoall", "alltoall_perf"},
      {"gather", "gather_perf"},
      {"scatter", "scatter_perf"}};
  for (const auto& [name, program] : programs)
    if (name == collective) return program;
  return {};
}

auto nccl_series(const Record& record) {
  return std::tuple(record.requested_algorithm, record.procs, record.ppn, record.root);
}

// Widths and words of nccl-tests' own lines.
std::string heads_of_rows() {
  std::string text = fmt::format("#{:61}out-of-place{:23}in-place\n", "", "");
  text += fmt::format("# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}", "size", "count", "type", "redop",
                      "root");
  for (int test = 0; test < 2; ++test)
    text += fmt::format("  {:>7}  {:>6}  {:>6} {:>6}", "time", "algbw", "busbw", "#wrong");
  text += fmt::format("\n# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}", "(B)", "(elements)", "", "", "");
  for (int test = 0; test < 2; ++test)
    text += fmt::format("  {:>7}  {:>6}  {:>6} {:>6}", "(us)", "(GB/s)", "(GB/s)", "");
  return text + '\n';
}

std::string head_of_series(const Record& record) {
  std::string text =
      fmt::format("# Collective test starting: {}\n# algorithm {}\n# Using devices\n",
                  nccl_program(record.collective), record.requested_algorithm);
  for (std::int64_t rank = 0; rank < record.procs; ++rank)
    text += fmt::format("#  Rank {:>2} Group  0 Pid {:>6} on node{} device {:>2} [simulated]\n",
                        rank, 0, rank / record.ppn, rank % record.ppn);
  return text + "#\n" + heads_of_rows();
}

std::string_view nccl_type(Bytes element_bytes) {
  return element_bytes == 2   ? "half"
         : element_bytes == 4 ? "float"
         : element_bytes == 8 ? "double"
                              : "int8";
}

// As wide and as precise as nccl-tests' times.
std::string nccl_time(Seconds time_s) {
  const double time_us = time_s * 1e6;
  return fmt::format("{:>7.{}f}", time_us, time_us >= 10000 ? 0 : time_us >= 100 ? 1 : 2);
}

std::string nccl_row(const Record& record) {
  TUTTI_CHECK(record.time_s, "nccl-tests' format needs times");
  const auto& collective = *algorithms::find_collective(record.collective);
  const Bytes bytes = jobs::nccl_bytes(record.collective, record.procs, record.message_bytes);
  const auto type = nccl_type(record.element_bytes);
  const Bytes element = type == "int8" ? 1 : record.element_bytes;
  const bool is_divided = collective.in_blocks || collective.name == "reduce_scatter";
  std::string row = fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}", bytes,
                                bytes / element / (is_divided ? record.procs : 1), type,
                                collective.reduces ? "sum" : "none", record.root.value_or(-1));
  const double algorithm_GBps =
      *record.time_s > 0 ? static_cast<double>(bytes) / *record.time_s / 1e9 : 0;
  const double factor = jobs::bus_factor(record.collective, record.procs).value_or(1);
  for (int test = 0; test < 2; ++test)
    row += fmt::format("  {}  {:>6.2f}  {:>6.2f} {:>6}", nccl_time(*record.time_s), algorithm_GBps,
                       algorithm_GBps * factor, "N/A");
  return row + '\n';
}

}  // namespace

bool has_nccl_test(std::string_view collective) { return !nccl_program(collective).empty(); }

std::string render_nccl_tests(const Report& report) {
  std::string text = comments(report);
  for (const Record& record : report.records) {
    const bool is_first = &record == &report.records.front();
    if (is_first || nccl_series(record) != nccl_series(*(&record - 1)))
      text += head_of_series(record);
    text += nccl_row(record);
  }
  return text;
}

}  // namespace tutti::reports
