// SPDX-License-Identifier: BSD-3-Clause
// sim run WORKLOAD: finds the workload and parses its options; the workload does the rest (`run` of
// collective_run.cpp, io_run.cpp, pair_run.cpp, program_run.cpp, jobs_run.cpp).
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/studies/workloads/job_file.hpp"

namespace tutti::commands {

std::span<const RunWorkload* const> run_workloads() {
  static constexpr const RunWorkload* table[] = {
      &collective_run, &io_run, &ping_pong_run, &loggp_run, &program_run, &schedule_run, &jobs_run};
  return table;
}

const RunWorkload& find_run_workload(std::string_view word) {
  if (studies::is_job_file(word)) return jobs_run;
  const auto& workload = studies::get_workload(word);
  for (const auto* run : run_workloads())
    if (&run->workload == &workload) return *run;
  return collective_run;
}

std::string run_help(const std::string& word) { return find_run_workload(word).help(word); }

// Runs the command `run`.
Result<int> run_run_command(const Arguments& given, Diagnostics& diagnostics) {
  Arguments arguments = given;
  if (!arguments.empty()) arguments.front() = studies::workload_called(arguments.front());
  const auto& workload = find_run_workload(arguments.empty() ? std::string() : arguments.front());
  const auto values = TUTTI_TRY(parse_options(
      workload.specs(), arguments, &workload == &jobs_run ? Operands::files : Operands::names));
  if (values.has("--help"))
    return print(workload.help(values.arguments.empty() ? "" : values.arguments.front()));
  if (values.has("--quiet")) diagnostics.be_quiet();
  note_decimal_sizes(workload.specs(), values, diagnostics);
  const auto code = workload.run(values, diagnostics);
  if (!code) return values.placed(code.errors());
  return code;
}

extern const Command run_command{
    .name = "run", .summary = "simulate a collective, I/O, messages", .run = run_run_command};

}  // namespace tutti::commands
