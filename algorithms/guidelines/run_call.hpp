// SPDX-License-Identifier: BSD-3-Clause
// How a mock-up's program runs the calls that it makes.
#pragma once

#include "algorithms/counts.hpp"
#include "algorithms/guidelines/mockup.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::guidelines {

// What mock-ups share: padded vectors, count vectors, and how a table entry is made of its calls.

using selection::InnerCall;
using selection::InnerCall1;
using selection::InnerCalls;

inline constexpr Bytes int_bytes = 4;              // I, MPI_INT
inline constexpr std::int64_t chunk_elements = 4;  // C, MIN_SCATTER_CHUNK_SIZE

// A call with other bytes, and what of the outer one holds inside.
CollectiveArgs inner_args(const CollectiveArgs& args, Bytes message_bytes);
// The same of bytes that are put together by bitwise or (MPI_CHAR, MPI_BOR).
CollectiveArgs or_args(const CollectiveArgs& args, Bytes message_bytes);

// A vector with so many elements more that all ranks get blocks of one size: (n + c) / p.
struct Padded {
  Padded(const CollectiveArgs& args, int procs);

  Bytes vector_bytes = 0;  // n
  Bytes block_bytes = 0;   // (n + c) / p
  Bytes total_bytes = 0;   // n + c
  Bytes element_bytes = 1;

  // The vector in front, then copies of its first element.
  void fill(Rank& me, std::int32_t padded, std::int32_t vector) const;
};

// Count vectors; all ranks of a job share one.
// Chunks of C elements dealt out round robin; what is no whole chunk goes to the next.
std::shared_ptr<const Counts> chunked_counts(const CollectiveArgs& args, int procs);
// The whole vector at the root, nothing elsewhere.
std::shared_ptr<const Counts> counts_at_root(const CollectiveArgs& args, int procs);

// Extra memory of the kinds that Table 1 has.
inline ExtraMemory no_memory(const CollectiveArgs& /*args*/, int /*procs*/) { return {}; }
inline ExtraMemory one_message(const CollectiveArgs& args, int /*procs*/) {
  return {.message_bytes = args.message_bytes};
}
inline ExtraMemory message_of_each(const CollectiveArgs& args, int procs) {
  return {.message_bytes = procs * args.message_bytes};
}
inline ExtraMemory padded_memory(const CollectiveArgs& args, int procs) {
  const Padded padded(args, procs);
  return {.message_bytes = padded.block_bytes + padded.total_bytes};
}
template <int vectors>
ExtraMemory count_vectors(const CollectiveArgs& /*args*/, int procs) {
  return {.int_bytes = vectors * procs * int_bytes};
}

// The algorithm of a mock-up with what follows from the calls that it makes.
template <auto calls_of>
constexpr Algorithm made_of_calls(Algorithm algorithm) {
  algorithm.reference = "Hunold, Carpen-Amarie, HPC Asia 2018";
  algorithm.cost = selection::cost_in_turn<calls_of>;
  algorithm.messages = selection::messages_in_turn<calls_of>;
  algorithm.made_of = selection::made_in_turn<calls_of>;
  return algorithm;
}

template <auto calls_of>
std::vector<InnerCall> listed(const CollectiveArgs& args, int procs) {
  const auto calls = calls_of(args, procs);
  return {calls.begin(), calls.end()};
}

using runtime::recv_buffer;
using runtime::send_buffer;

// Auxiliary buffers of the library.
inline constexpr std::int32_t first_buffer = runtime::scratch_buffer;
inline constexpr std::int32_t second_buffer = runtime::scratch_buffer + 1;

// Where the callee's buffers begin in the caller's.
struct Buffers {
  Slice send{.buffer = send_buffer};
  Slice recv{.buffer = recv_buffer};
};

// A vector of a block for each rank in the first buffer: zeros but for the own, to be put together
// by bitwise or.
inline void fill_own_block(Rank& me, Bytes block_bytes) {
  me.clear({0, me.size() * block_bytes, first_buffer});
  me.copy(Slice{me.id() * block_bytes, block_bytes, first_buffer},
          Slice{0, block_bytes, send_buffer});
}

// `call` lives until the task ends.
inline Task run_call(Rank& me, const InnerCall& call, Buffers buffers = {}) {
  Nested inner(me, {.recv = buffers.recv, .send = buffers.send});
  co_await selection::run_decided(call.collective, inner.rank(), call.args);
}

// Mock-ups that do no more than calls with the buffers that they are given.
template <auto calls_of>
Task run_in_turn(Rank& me, CollectiveArgs args) {
  const auto calls = calls_of(args, me.size());
  for (const InnerCall& call : calls) co_await run_call(me, call);
}

}  // namespace tutti::algorithms::guidelines
