// SPDX-License-Identifier: BSD-3-Clause
// Shared part of the two ring algorithms: the reduction of the blocks in phases, then one ring
// allgather.
#pragma once

#include "algorithms/allreduce/allreduce.hpp"

namespace tutti::algorithms {

Task ring_phases_and_allgather(Rank& me, CollectiveArgs args, std::int64_t phases);
Seconds ring_phases_cost(const ModelArgs& args, std::int64_t phases,
                         const models::MessageCost& cost);
std::int64_t ring_phases_messages(const ModelArgs& args, std::int64_t phases);
std::vector<StepPhase> ring_phases_steps(const ModelArgs& args, std::int64_t phases);

}  // namespace tutti::algorithms
