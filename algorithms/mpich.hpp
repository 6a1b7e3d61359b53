// SPDX-License-Identifier: BSD-3-Clause
// What all algorithms of MPICH share.
#pragma once

#include "algorithms/models/message_cost.hpp"
#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms::mpich {

inline constexpr std::string_view set = "mpich";

inline bool is_power_of_two(int procs) { return std::has_single_bit(static_cast<unsigned>(procs)); }

// The total size of the blocks of all ranks, or of the vector.
inline Bytes all_bytes(const CollectiveArgs& args, std::int64_t procs) {
  return args.counts != nullptr ? args.counts->total() : args.message_bytes * procs;
}

// MPICH returns from a call without data before it sends anything. For reductions, see
// reduction.hpp.
inline bool is_empty(std::int64_t procs, const CollectiveArgs& args) {
  return all_bytes(args, procs) == 0;
}
inline Task finish() { co_return; }

template <auto run>
Task program(Rank& me, CollectiveArgs args) {
  return is_empty(me.size(), args) ? finish() : run(me, args);
}
template <auto cost_of>
Seconds cost(const ModelArgs& args, const models::MessageCost& cost) {
  return is_empty(args.procs, args.call) ? 0 : cost_of(args, cost);
}
template <auto messages_of>
std::int64_t messages(const ModelArgs& args) {
  return is_empty(args.procs, args.call) ? 0 : messages_of(args);
}
template <auto steps_of>
std::vector<StepPhase> steps(const ModelArgs& args) {
  return args.procs == 1 || is_empty(args.procs, args.call) ? std::vector<StepPhase>{}
                                                            : steps_of(args);
}

}  // namespace tutti::algorithms::mpich
