// SPDX-License-Identifier: BSD-3-Clause
// What commands that simulate on one machine have in common.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/options/option_table.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/reports/report.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::commands {

struct JobRequest : options::MachineRequest {
  bool force = false;   // memory and limits are not looked at
  std::string command;  // reproduces the result
};

// What a report of points begins with, and what it lacks.
template <class Report>
void begin_report(Report& report, const JobRequest& request, const platforms::Machine& machine,
                  const studies::PointsRun& run) {
  report.provenance =
      reports::provenance_of(machine, request.platform, request.overrides, request.command);
  report.failed = run.failed;
  if constexpr (requires { report.not_run; }) report.not_run = run.not_run;
}

// --platform and --set.
inline options::OptionTable<options::MachineRequest> machine_options() {
  using Table = options::OptionTable<options::MachineRequest>;
  return Table{{options::shared::platform}, {options::shared::set}}.then(
      &options::OptionReader::read_machine);
}

enum class Words : unsigned char { none, files };

// What is given to a command, into a request that has the defaults.
template <class Request>
Result<Request> request_of(const options::OptionValues& parsed,
                           const options::OptionTable<Request>& table, std::string command,
                           Words words = Words::none) {
  options::OptionReader reader(parsed);
  Request request;
  if (words == Words::none) reader.reject_arguments();
  table.read(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  for (const auto& word : parsed.arguments) command += ' ' + shell_quoted(word);
  request.command = "sim " + command + reproducing_options(table, parsed);
  return request;
}

// The workloads of `sim run`, one file each (*_run.cpp): its options with those of the output, its
// help, and how it is run.

struct RunWorkload {
  const studies::Workload& workload;
  std::span<const OptionSpec> (*specs)();
  std::string (*help)(const std::string& word);
  // Returns the exit code. Errors name options.
  Result<int> (*run)(const OptionValues& values, const Diagnostics& diagnostics);
};

extern const RunWorkload collective_run, io_run, ping_pong_run, loggp_run;

std::span<const RunWorkload* const> run_workloads();
// That of a word; of any other word that of the collectives.
const RunWorkload& run_workload_of(std::string_view word);
// The options of `sim run WORD`.
inline std::span<const OptionSpec> specs_of_workload(std::string_view word) {
  return run_workload_of(word).specs();
}

}  // namespace tutti::commands
