// SPDX-License-Identifier: BSD-3-Clause
// Runs the calls of a mock-up's program.
#pragma once

#include "algorithms/counts.hpp"
#include "algorithms/guidelines/mockup.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::guidelines {

// Shared parts of mock-ups: padded vectors, count vectors, and table entries derived from the
// calls.

using selection::InnerCall;
using selection::InnerCall1;
using selection::InnerCalls;

inline constexpr Bytes int_bytes = 4;              // I, MPI_INT
inline constexpr std::int64_t chunk_elements = 4;  // C, MIN_SCATTER_CHUNK_SIZE

using selection::inner_args;
// The same for bytes that are combined by bitwise or (MPI_CHAR, MPI_BOR).
CollectiveArgs or_args(const CollectiveArgs& args, Bytes message_bytes);

// A vector padded with c elements so that all ranks get blocks of the same size, (n + c) / p.
struct Padded {
  Padded(const CollectiveArgs& args, int procs);

  Bytes vector_bytes = 0;  // n
  Bytes block_bytes = 0;   // (n + c) / p
  Bytes total_bytes = 0;   // n + c
  Bytes element_bytes = 1;

  // Copies the vector, followed by copies of its first element.
  void fill(Rank& me, std::int32_t padded, std::int32_t vector) const;
};

// Count vectors, each shared by all ranks of a job.

// Chunks of C elements, distributed round robin; the incomplete last chunk goes to the next rank.
std::shared_ptr<const Counts> chunked_counts(const CollectiveArgs& args, int procs);
// The whole vector at the root, 0 bytes elsewhere.
std::shared_ptr<const Counts> counts_at_root(const CollectiveArgs& args, int procs);

// The kinds of extra memory in Table 1.
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

// The algorithm of a mock-up, with the members that follow from its calls.
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

// Where the callee's buffers start in the caller's buffers.
struct Buffers {
  Slice send{.buffer = send_buffer};
  Slice recv{.buffer = recv_buffer};
};

// Fills the first buffer with one block per rank: the own block, and zeros elsewhere, to be
// combined by bitwise or.
inline void fill_own_block(Rank& me, Bytes block_bytes) {
  me.clear({0, me.size() * block_bytes, first_buffer});
  me.copy(Slice{me.id() * block_bytes, block_bytes, first_buffer},
          Slice{0, block_bytes, send_buffer});
}

// `call` must outlive the task.
inline Task run_call(Rank& me, const InnerCall& call, Buffers buffers = {}) {
  Nested inner(me, {.recv = buffers.recv, .send = buffers.send});
  co_await selection::run_decided(call, inner.rank());
}

// The program of mock-ups that only make calls with the given buffers.
template <auto calls_of>
Task run_in_turn(Rank& me, CollectiveArgs args) {
  const auto calls = calls_of(args, me.size());
  for (const InnerCall& call : calls) co_await run_call(me, call);
}

}  // namespace tutti::algorithms::guidelines
