// SPDX-License-Identifier: BSD-3-Clause
// The load of the shuffle's messages on the machine, computed without simulation.
#pragma once

#include "io_models/cycle_choice.hpp"
#include "io_models/redistribution.hpp"
#include "platforms/placement.hpp"
#include "sim/jobs/io_record.hpp"

namespace tutti::jobs {

struct ShuffleLoadCall {
  const io_models::CycleChoice& choice;
  const io_models::Schedule& schedule;  // of the choice's cycles
  double weight = 1;                    // number of calls that this one represents
};

struct ShuffleLoadArgs {
  std::span<const ShuffleLoadCall> calls;
  const std::vector<io_models::RankId>& aggregators;
  bool writes = true;
};

// Fills messages, own_bytes, intra_node_bytes, sending_nodes, receiving_nodes; and, if every cycle
// is simulated or repeats a simulated one, the busiest node and the busiest link. Other cycles are
// estimated from the sample.
void add_shuffle_load(const ShuffleLoadArgs& args, const platforms::Machine& machine,
                      const platforms::Placement& placement, IoRecord& record);

}  // namespace tutti::jobs
