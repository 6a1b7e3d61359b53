// SPDX-License-Identifier: BSD-3-Clause
// Requests, reports and workloads of the commands that simulate on one machine.
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
  bool force = false;   // skip the checks of memory and limits
  std::string command;  // command line that reproduces the result
};

// Fills in the provenance of a report, and the points that failed or did not run.
template <class Report>
void begin_report(Report& report, const JobRequest& request, const platforms::Machine& machine,
                  const studies::PointsRun& run) {
  report.provenance =
      reports::provenance_of(machine, request.platform, request.overrides, request.command);
  report.failed = run.failed;
  if constexpr (requires { report.not_run; }) report.not_run = run.not_run;
}

// The options --platform, --set and --background.
inline options::OptionTable<options::MachineRequest> machine_options() {
  using Table = options::OptionTable<options::MachineRequest>;
  return Table{{options::shared::platform}, {options::shared::set}, {options::shared::background}}
      .then(&options::OptionReader::read_machine);
}

enum class Words : unsigned char { none, files };

// Reads the options of a command into a default-constructed request.
template <class Request>
Result<Request> read_request(const options::OptionValues& parsed,
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

// The options of a workload, then the options of its output. Both arguments are functions that
// return a table.
template <auto workload, auto output>
std::span<const OptionSpec> join_run_specs() {
  static const auto specs = joined_specs({workload(), output()});
  return specs;
}

// A workload of `sim run` (in collective_run.cpp, io_run.cpp, ...): its options including the
// options of the output, its help, and the function that runs it.
struct RunWorkload {
  const studies::Workload& workload;
  std::span<const OptionSpec> (*specs)();
  std::string (*help)(const std::string& word);
  // Returns the exit code. Errors name options.
  Result<int> (*run)(const OptionValues& values, const Diagnostics& diagnostics);
};

extern const RunWorkload collective_run, schedule_run, io_run, ping_pong_run, loggp_run,
    program_run, jobs_run;

// All of them, in the order of the help (run.cpp).
std::span<const RunWorkload* const> run_workloads();
// The workload of this name; the workload of the collectives for any other word.
const RunWorkload& find_run_workload(std::string_view word);
// The options of `sim run WORD`.
inline std::span<const OptionSpec> specs_of_workload(std::string_view word) {
  return find_run_workload(word).specs();
}

}  // namespace tutti::commands
