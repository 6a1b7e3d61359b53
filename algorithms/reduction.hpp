// SPDX-License-Identifier: BSD-3-Clause
// What all collectives that reduce share. Calls without others or without data send nothing: MPI
// returns from the reduction of no elements at once, and a rank alone keeps its own contribution.
// The entries of the registry take their functions through `reduction::`, which sees to that.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"
#include "algorithms/models/message_cost.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::reduction {

// Whole vectors of the call, by convention of the collectives' buffers.
inline Slice vector_in(std::int32_t buffer, Bytes bytes) {
  return {.bytes = bytes, .buffer = buffer};
}

// Of what a rank puts in. In reduce_scatter_block it is P blocks; enough to see if there are any.
inline Bytes contributed_bytes(const CollectiveArgs& args) {
  return args.counts != nullptr ? args.counts->total() : args.message_bytes;
}

inline bool is_trivial(int procs, const CollectiveArgs& args) {
  return procs == 1 || contributed_bytes(args) == 0;
}

// What the result of one rank alone is: its own contribution, or (exscan) nothing.
enum class Alone { keeps_own, has_none };

inline Task finish_alone(Rank& me, CollectiveArgs args, Alone alone) {
  const Bytes bytes = alone == Alone::keeps_own ? contributed_bytes(args) : 0;
  me.copy(vector_in(runtime::recv_buffer, bytes), vector_in(runtime::send_buffer, bytes));
  co_return;
}

template <auto run, Alone alone = Alone::keeps_own>
Task program(Rank& me, CollectiveArgs args) {
  return is_trivial(me.size(), args) ? finish_alone(me, args, alone) : run(me, args);
}

template <auto cost_of>
Seconds cost(const ModelArgs& args, const models::MessageCost& cost) {
  return is_trivial(args.procs, args.call) ? 0 : cost_of(args, cost);
}

template <auto messages_of>
std::int64_t messages(const ModelArgs& args) {
  return is_trivial(args.procs, args.call) ? 0 : messages_of(args);
}

template <auto made_of_what>
std::string made_of(const ModelArgs& args) {
  return is_trivial(args.procs, args.call) ? std::string{} : made_of_what(args);
}

template <auto steps_of>
std::vector<StepPhase> steps(const ModelArgs& args) {
  return is_trivial(args.procs, args.call) ? std::vector<StepPhase>{} : steps_of(args);
}

// For Algorithm::runs. Open MPI does run such algorithms if they are forced, and gets the operands
// in another order: a wrong result.
inline constexpr std::string_view needs_commutative = "commutative operation";
inline bool is_commutative(const ModelArgs& args) { return args.call.commutative; }

}  // namespace tutti::algorithms::reduction
