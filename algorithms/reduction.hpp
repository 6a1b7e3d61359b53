// SPDX-License-Identifier: BSD-3-Clause
// Shared parts of all reductions. Calls of a single rank or without data send nothing: MPI returns
// immediately from a reduction of 0 elements, and a single rank keeps its own contribution. The
// registry entries wrap their functions in `reduction::`, which handles these cases.
#pragma once

#include "algorithms/counts.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms::reduction {

// The whole vector of the call in one of the collectives' buffers.
inline Slice vector_in(std::int32_t buffer, Bytes bytes) {
  return {.bytes = bytes, .buffer = buffer};
}

// Size of a rank's contribution. For reduce_scatter_block this is one of its P blocks, which
// suffices to detect empty contributions.
inline Bytes contributed_bytes(const CollectiveArgs& args) {
  return args.counts != nullptr ? args.counts->total() : args.message_bytes;
}

inline bool is_trivial(int procs, const CollectiveArgs& args) {
  return procs == 1 || contributed_bytes(args) == 0;
}

// The result of a single rank: its own contribution or (exscan) nothing.
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

// For Algorithm::restriction and Algorithm::runs. If such an algorithm is forced, Open MPI runs it
// with the operands in another order and returns a wrong result.
inline constexpr std::string_view needs_commutative = "a commutative operation";
inline bool is_commutative(const ModelArgs& args) { return args.call.commutative; }

}  // namespace tutti::algorithms::reduction
