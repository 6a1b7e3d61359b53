// SPDX-License-Identifier: BSD-3-Clause
// What several allreduce algorithms share.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// Fallbacks of other algorithms.
Task allreduce_recursive_doubling(Rank& me, CollectiveArgs args);
Seconds allreduce_recursive_doubling_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t allreduce_recursive_doubling_messages(const ModelArgs& args);
Task allreduce_ring(Rank& me, CollectiveArgs args);
Seconds allreduce_ring_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t allreduce_ring_messages(const ModelArgs& args);
// Returns "recursive_doubling" if there are fewer elements than ranks.
std::string_view allreduce_ring_fallback(const ModelArgs& args);
bool allreduce_ring_runs(const ModelArgs& args);
std::vector<StepPhase> allreduce_ring_steps(const ModelArgs& args);

}  // namespace tutti::algorithms
