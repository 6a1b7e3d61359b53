// SPDX-License-Identifier: BSD-3-Clause
// Runs the calls of a mock-up's program.
#pragma once

#include "algorithms/counts.hpp"
#include "algorithms/guidelines/mockup.hpp"
#include "algorithms/guidelines/mockup_texts.hpp"

namespace tutti::algorithms::guidelines {

// Shared parts of mock-ups: padded vectors, count vectors, and table entries derived from the
// calls.

using selection::InnerCall;
using selection::InnerCall1;
using selection::InnerCalls;

inline constexpr Bytes int_bytes = 4;  // I, MPI_INT
// C of the paper: the segments of a mock-up's call, in elements; by default the library's
// MIN_SCATTER_CHUNK_SIZE.
inline std::int64_t chunk_elements(const CollectiveArgs& args) {
  return args.segment_bytes == 0 ? 4 : args.segment_bytes / args.element_bytes;
}

using selection::inner_args;
// The arguments of inner_args with the root of the outer call.
inline CollectiveArgs rooted_args(const CollectiveArgs& args, Bytes message_bytes) {
  CollectiveArgs inner = inner_args(args, message_bytes);
  inner.root = args.root;
  return inner;
}
// The arguments of inner_args for bytes that are combined by bitwise or (MPI_CHAR, MPI_BOR).
CollectiveArgs or_args(const CollectiveArgs& args, Bytes message_bytes);
// The call with these counts, which it keeps alive.
InnerCall with_counts(InnerCall call, std::shared_ptr<const Counts> counts);

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

template <auto make_calls>
std::vector<InnerCall> list_calls(const CollectiveArgs& args, int procs) {
  const auto calls = make_calls(args, procs);
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

// Programs of several mock-ups. This one only makes the calls with the given buffers.
template <auto make_calls>
Task run_in_turn(Rank& me, CollectiveArgs args) {
  const auto calls = make_calls(args, me.size());
  for (const InnerCall& call : calls) co_await run_call(me, call);
}

// All ranks receive the result of the call; all but the root in an auxiliary buffer.
template <auto make_calls>
Task run_for_root(Rank& me, CollectiveArgs args) {
  const auto calls = make_calls(args, me.size());
  const bool is_root = me.id() == args.root;
  co_await run_call(me, calls[0], {.recv = {.buffer = is_root ? recv_buffer : first_buffer}});
}

// The call combines the blocks of all ranks by bitwise or.
template <auto make_calls>
Task run_on_own_block(Rank& me, CollectiveArgs args) {
  fill_own_block(me, args.message_bytes);
  const auto calls = make_calls(args, me.size());
  co_await run_call(me, calls[0], {.send = {.buffer = first_buffer}});
}

// The second call sends what the first one leaves in an auxiliary buffer.
template <auto make_calls>
Task run_through_buffer(Rank& me, CollectiveArgs args) {
  const auto calls = make_calls(args, me.size());
  const Slice between{.buffer = first_buffer};
  co_await run_call(me, calls[0], {.recv = between});
  co_await run_call(me, calls[1], {.send = between});
}

// Reduces the padded vector to blocks, and collects these at the root or at all ranks.
template <auto make_calls>
Task run_padded(Rank& me, CollectiveArgs args) {
  const Padded padded(args, me.size());
  padded.fill(me, first_buffer, send_buffer);
  const auto calls = make_calls(args, me.size());
  const Slice vector{.buffer = first_buffer};
  const Slice block{.buffer = second_buffer};
  co_await run_call(me, calls[0], {.send = vector, .recv = block});
  co_await run_call(me, calls[1], {.send = block, .recv = vector});
  if (calls[1].collective == "allgather" || me.id() == args.root)
    me.copy(Slice{0, args.message_bytes, recv_buffer}, Slice{0, args.message_bytes, first_buffer});
}

// The row of a mock-up in the table of its file; the rest is in mockups.txt.
struct MockupRow {
  std::string_view guideline;
  Task (*program)(Rank& me, CollectiveArgs args) = nullptr;  // null: run_in_turn
  ExtraMemory (*extra)(const CollectiveArgs& args, int procs) = no_memory;
};

// The mock-up of a row, with the members that follow from its calls.
template <auto make_calls>
Mockup mockup(const MockupRow& row) {
  const MockupText& text = *std::ranges::find(mockup_texts, row.guideline, &MockupText::guideline);
  return {.guideline = text.guideline,
          .id = text.id,
          .algorithm = {.collective = text.collective,
                        .name = text.name,
                        .reference = "Hunold, Carpen-Amarie, HPC Asia 2018",
                        .summary = text.summary,
                        .program = row.program == nullptr ? run_in_turn<make_calls> : row.program,
                        .cost = selection::cost_in_turn<make_calls>,
                        .messages = selection::messages_in_turn<make_calls>,
                        .made_of = selection::made_in_turn<make_calls>},
          .calls = list_calls<make_calls>,
          .extra = row.extra};
}

}  // namespace tutti::algorithms::guidelines
