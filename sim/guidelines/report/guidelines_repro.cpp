// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/report/guidelines_repro.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

using studies::guidelines::Measuring;
using studies::guidelines::Setting;
using studies::guidelines::Side;

std::string test_of(const Setting& setting, const Side& side) {
  return side.mockup == nullptr ? mpi_name(setting.collective)
                                : std::string(side.mockup->algorithm.name);
}

// Each once, in the order in which they come.
template <class Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

// As ReproMPI calls them; of clocks that are perfect it has no name.
std::string synchronisation(const GuidelinesReport& report) {
  const bool is_window = report.measuring.sync == Measuring::Sync::window;
  return fmt::format("#@clocktype={}\n#@clock=simulated\n#@sync={}\n#@runtime_type={}\n",
                     is_window ? "global" : "local", is_window ? "window" : "BBarrier",
                     "local_max");
}

std::string header(const GuidelinesReport& report) {
  std::vector<std::string> tests;
  std::vector<int> procs;
  for (const auto& setting : report.settings)
    for (const auto& side : setting.sides) {
      if (side.latencies_s.empty()) continue;
      add_once(tests, test_of(setting, side));
      add_once(procs, setting.procs);
    }
  std::string text =
      fmt::format("#Command-line arguments: {}\n#MPI calls:\n", provenance_lines(report)[1]);
  for (const auto& test : tests) text += fmt::format("#\t{}\n", test);
  for (const auto& line : provenance_lines(report)) text += fmt::format("# {}\n", line);
  text += fmt::format(
      "#@operation=MPI_BOR\n#@datatype={0}\n#@datatype_extent_bytes={1}\n"
      "#@datatype_size_bytes={1}\n#@root_proc=0\n#@reproMPIcommitSHA1=unknown\n",
      report.element_bytes == 1 ? "MPI_CHAR" : "unknown", report.element_bytes);
  text += fmt::format("#@nprocs={}\n", fmt::join(procs, ","));
  text += synchronisation(report);
  // 0: it differs by call.
  text += fmt::format("#@nrep={}\n#@nmpiruns={}\n", report.measuring.repetitions.value_or(0),
                      report.measuring.runs);
  return text + fmt::format("#@noise={}\n", report.noise.empty() ? "none" : report.noise);
}

std::string lines_of(const Setting& setting, const Side& side, Bytes element_bytes) {
  std::string text;
  const std::string test = test_of(setting, side);
  for (std::size_t run = 0; run < side.latencies_s.size(); ++run)
    for (std::size_t i = 0; i < side.latencies_s[run].size(); ++i)
      text += fmt::format("{:>50} {:>10} {:>12} {:>14.10f} {:>6} {:>7}\n", test, i,
                          setting.message_bytes / element_bytes, side.latencies_s[run][i], run,
                          setting.procs);
  return text;
}

}  // namespace

std::string guidelines_repro(const GuidelinesReport& report) {
  std::string text = header(report);
  text += fmt::format("{:>50} {:>10} {:>12} {:>14} {:>6} {:>7}\n", "test", "nrep", "count",
                      "runtime_sec", "mpirun", "nprocs");
  for (const auto& setting : report.settings)
    for (const auto& side : setting.sides) text += lines_of(setting, side, report.element_bytes);
  if (report.not_run > 0)
    text += fmt::format("# INCOMPLETE: {} calls were not run\n", report.not_run);
  return text;
}

}  // namespace tutti::reports
