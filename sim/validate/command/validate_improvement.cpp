// SPDX-License-Identifier: BSD-3-Clause
// sim validate improvement: what a gain of messages does to collectives, expected and simulated.

#include "sim/base/common.hpp"
#include "sim/validate/command/improvement_request.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/report/improvement_report.hpp"

namespace tutti::commands {
namespace {

// Shared memory was off in the dissertation (section 4.1.4).
void route_over_network(ImprovementRequest& request) {
  constexpr const char* key = "mpi/intra_node";
  for (const auto& each : request.overrides)
    if (each.key == key) return;
  request.overrides.push_back({key, "network"});
}

std::optional<Error> missing_part(const ImprovementRequest& request,
                                  const reports::Document& document) {
  const std::string& part = request.document.part;
  if (part.empty()) return std::nullopt;
  for (const auto& table : document.tables)
    if (table.name == part) return std::nullopt;
  return usage_error("--part", fmt::format("there is no {} here", part),
                     "it is measured on crill: --platform crill, nothing else but --procs and "
                     "options of output");
}

Result<int> check_improvement(const ImprovementRequest& request, const platforms::Machine& machine,
                              const studies::ImprovementPlan& plan,
                              const Diagnostics& diagnostics) {
  auto found = improved_calls(plan, machine, runner(request.jobs, diagnostics));
  if (found.calls.empty()) return found.run.code;
  reports::ImprovementReport report;
  begin_report(report, request, machine, found.run);
  report.tuning = plan.tuning;
  report.tried = plan.tried;
  report.notes = plan.notes;
  report.calls = std::move(found.calls);
  if (!plan.table_4_4.empty()) report.published = std::move(found.published);
  const auto document = reports::improvement_document(report);
  if (const auto error = missing_part(request, document)) return *error;
  const int written = TUTTI_TRY(write_document(document, request.document));
  return written != exit_done ? written : found.run.code;
}

Result<int> run_validate_improvement(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(request_of(parsed, improvement_options(), "validate improvement"));
  route_over_network(request);
  auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  const auto shared = std::make_shared<const platforms::Machine>(std::move(machine));
  const auto plan = studies::plan_improvement(request, request, shared);
  if (!plan) return parsed.placed(plan.errors());
  for (const auto& warning : shared->warnings) diagnostics.warning(warning);
  return check_improvement(request, *shared, *plan, diagnostics);
}

}  // namespace

const Subcommand validate_improvement{
    .usage = "improvement",
    .summary = "what collectives gain when messages do",
    .help =
        "Changes the machine, measures by ping-pong what messages gain, and puts side by side what "
        "the models of chapter 4 of the dissertation expect collectives to gain and what they gain "
        "when simulated. Messages inside nodes travel over the network, as there, unless --set "
        "mpi/intra_node says otherwise.",
    .specs = improvement_options(),
    .run = run_validate_improvement};

}  // namespace tutti::commands
