// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/planned_calls.hpp"

#include "sim/jobs/shuffle_load.hpp"

namespace tutti::jobs {
namespace {

using io_models::CycleChoice;
using io_models::CycleMethod;

CycleChoice all_cycles_of(const IoPoint& point, const io_models::Redistribution& redistribution) {
  if (!point.plan.implementation->is_collective) return {};
  return empty_cycles_take_time(point) ? io_models::all_cycles(redistribution)
                                       : io_models::all_with_data(redistribution);
}

}  // namespace

bool empty_cycles_take_time(const IoPoint& point) {
  return point.with_setup && point.plan.implementation->has_lists;
}

PlannedCall::PlannedCall(std::shared_ptr<const io_models::Access> of, const IoPoint& point,
                         const platforms::Placement& placement,
                         std::shared_ptr<const io_models::NodeGroups> groups,
                         const std::optional<CycleChoice>& chosen)
    : merged(groups ? std::make_shared<io_models::MergedAccess>(of, std::move(groups)) : nullptr),
      access(merged ? merged : std::move(of)),
      plan(*access, placement, point.plan),
      choice(chosen ? *chosen : all_cycles_of(point, plan.redistribution())),
      schedule(plan.redistribution(), choice.cycles()),
      job(plan.job(schedule, {.writes = point.writes, .with_setup = point.with_setup})) {}

bool is_sequence(const IoPoint& point) {
  return point.calls || point.node_leaders > 0 || !point.plan.implementation->is_collective;
}

PlannedCalls planned_calls(const IoPoint& point, const platforms::Placement& placement,
                           const CycleChoice& choice) {
  PlannedCalls calls;
  if (!is_sequence(point)) {
    calls.push_back(std::make_unique<PlannedCall>(point.access, point, placement, nullptr, choice));
    return calls;
  }
  const auto groups = point.node_leaders > 0 ? std::make_shared<const io_models::NodeGroups>(
                                                   placement, point.node_leaders)
                                             : nullptr;
  for (const std::int64_t number : choice.cycles())
    calls.push_back(std::make_unique<PlannedCall>(
        point.calls ? point.calls->call(number) : point.access, point, placement, groups));
  return calls;
}

void add_load(const IoPoint& point, const CycleChoice& choice, const PlannedCalls& planned,
              const platforms::Machine& machine, const platforms::Placement& placement,
              IoRecord& record) {
  std::vector<ShuffleLoadCall> loads;
  for (const auto& call : planned) loads.push_back({call->choice, call->schedule});
  if (is_sequence(point) && choice.method == CycleMethod::sampled)
    for (std::size_t i = 0; const io_models::CycleRun& run : choice.runs)
      for (std::int64_t j = 0; j < run.simulated; ++j)
        loads[i++].weight = static_cast<double>(run.count) / static_cast<double>(run.simulated);
  double cycles = 0;
  for (const ShuffleLoadCall& load : loads) {
    cycles += load.weight * static_cast<double>(load.choice.all_cycles);
    record.simulated_cycles += load.choice.simulated_cycles();
  }
  record.cycles = std::llround(cycles);
  if (point.plan.implementation->is_collective)
    add_shuffle_load({loads, planned.front()->plan.aggregators(), point.writes}, machine, placement,
                     record);
}

}  // namespace tutti::jobs
