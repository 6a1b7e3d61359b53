// SPDX-License-Identifier: BSD-3-Clause
// The calls of a job of collective I/O that are simulated.
#pragma once

#include "io_models/cycle_choice.hpp"
#include "io_models/node_aggregation.hpp"
#include "io_models/redistribution.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/io_record.hpp"

namespace tutti::jobs {

// One call, with those of its cycles that are simulated.
struct PlannedCall {
  // Set if processes of a node collect its data: the access of the plan.
  std::shared_ptr<const io_models::MergedAccess> merged;
  std::shared_ptr<const io_models::Access> access;
  io_models::Plan plan;
  io_models::CycleChoice choice;
  io_models::Schedule schedule;
  io_models::ShuffleJob job;

  // `chosen`: the cycles; unset: all, or all with data if the others take no time. `groups`: null
  // without aggregation in nodes.
  PlannedCall(std::shared_ptr<const io_models::Access> of, const IoPoint& point,
              const platforms::Placement& placement,
              std::shared_ptr<const io_models::NodeGroups> groups = nullptr,
              const std::optional<io_models::CycleChoice>& chosen = std::nullopt);
  PlannedCall(const PlannedCall&) = delete;
  PlannedCall& operator=(const PlannedCall&) = delete;
};

using PlannedCalls = std::vector<std::unique_ptr<PlannedCall>>;

// Whether all cycles of each call are simulated, and calls are sampled: jobs of several calls, with
// aggregation in nodes, or with accesses that have no cycles. In other jobs, cycles are sampled.
bool is_sequence(const IoPoint& point);

// Whether cycles without data take time, because ranks exchange sizes in each.
bool empty_cycles_take_time(const IoPoint& point);

// `choice`: the calls of a sequence, else the cycles of the only call.
PlannedCalls planned_calls(const IoPoint& point, const platforms::Placement& placement,
                           const io_models::CycleChoice& choice);

// Fills the fields about the cycles and the load of the shuffle.
void add_load(const IoPoint& point, const io_models::CycleChoice& choice,
              const PlannedCalls& planned, const platforms::Machine& machine,
              const platforms::Placement& placement, IoRecord& record);

}  // namespace tutti::jobs
