// SPDX-License-Identifier: BSD-3-Clause
// sim validate improvement: what a gain of messages does to collectives, expected and simulated.

#include "sim/base/common.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/run_point.hpp"
#include "sim/validate/command/improvement_plan.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/report/improvement_report.hpp"

namespace tutti::commands {
namespace {

constexpr const char* untuned_column = "untuned";

// In a child: the time as it is, and on each changed machine by its number.
Result<Row> simulated(const WantedCall& wanted, const platforms::Machine& machine) {
  Row row;
  const auto add = [&](std::string name, const platforms::Machine& on) -> std::vector<Error> {
    const auto answer = TUTTI_TRY(studies::run_point(wanted.point, on));
    row.push_back({std::move(name), *answer.record.time_s});
    return {};
  };
  if (auto errors = add(untuned_column, machine); !errors.empty()) return errors;
  for (const auto& [number, changed] : wanted.machines)
    if (auto errors = add(fmt::format("{}", number), *changed); !errors.empty()) return errors;
  return row;
}

studies::ImprovedCall with_times(const WantedCall& wanted, const Row& row) {
  studies::ImprovedCall call = wanted.call;
  call.untuned_s = number_of(cell_in(row, untuned_column)).value();
  for (const auto& [number, changed] : wanted.machines)
    call.tuned_s[number] = number_of(cell_in(row, fmt::format("{}", number))).value();
  return call;
}

// All calls one behind the other, in their lists' order.
class ImprovementSimulations {
 public:
  explicit ImprovementSimulations(const platforms::Machine& machine) : machine_(machine) {}

  void add(const std::vector<WantedCall>& calls, std::vector<studies::ImprovedCall>& answers) {
    for (const auto& call : calls) {
      points_.push_back({.key = {},
                         .description = {},
                         .name = name_of(call.point),
                         .parameters = {},
                         .simulate = [this, &call] { return simulated(call, machine_); },
                         .memory_bytes = studies::memory_estimate(call.point)});
      wanted_.emplace_back(&call, &answers);
    }
  }

  CheckRun run(int jobs, const Diagnostics& diagnostics) const {
    CheckRun run = run_check(points_, jobs, diagnostics);
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (run.answers[i])
        wanted_[i].second->push_back(with_times(*wanted_[i].first, *run.answers[i]));
    return run;
  }

 private:
  const platforms::Machine& machine_;
  std::vector<studies::StudyPoint> points_;
  std::vector<std::pair<const WantedCall*, std::vector<studies::ImprovedCall>*>> wanted_;
};

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

Result<int> check_improvement(const ImprovementRequest& request, const MachineRef& machine,
                              const ImprovementPlan& plan, const Diagnostics& diagnostics) {
  reports::ImprovementReport report;
  reports::PublishedCalls published{
      .alltoall = {}, .broadcast = {}, .change = plan.table_4_4_change};
  ImprovementSimulations simulations(*machine);
  simulations.add(plan.calls, report.calls);
  simulations.add(plan.table_3_2, published.alltoall);
  simulations.add(plan.table_4_4, published.broadcast);
  const CheckRun run = simulations.run(request.jobs, diagnostics);
  if (report.calls.empty()) return run.code;
  report.provenance =
      reports::provenance_of(*machine, request.platform, request.overrides, request.command);
  report.failed = run.failed;
  report.not_run = run.not_run;
  report.tuning = plan.tuning;
  report.tried = plan.tried;
  report.notes = plan.notes;
  if (!plan.table_4_4.empty()) report.published = std::move(published);
  const auto document = reports::improvement_document(report);
  if (const auto error = missing_part(request, document)) return *error;
  const int written = TUTTI_TRY(write_document(document, request.document));
  return written != exit_done ? written : run.code;
}

Result<int> run_validate_improvement(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(request_of(parsed, improvement_options(), "validate improvement"));
  route_over_network(request);
  auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  const auto shared = std::make_shared<const platforms::Machine>(std::move(machine));
  const auto plan = plan_improvement(request, shared);
  if (!plan) return parsed.placed(plan.errors());
  for (const auto& warning : shared->warnings) diagnostics.warning(warning);
  return check_improvement(request, shared, *plan, diagnostics);
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
