// SPDX-License-Identifier: BSD-3-Clause
// How a mock-up's program runs the calls that it makes.
#pragma once

#include "algorithms/guidelines/parts.hpp"

namespace tutti::algorithms::guidelines {

using runtime::Rank;
using runtime::recv_buffer;
using runtime::send_buffer;
using runtime::Slice;
using runtime::Task;

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
  runtime::Nested inner(me, {.recv = buffers.recv, .send = buffers.send});
  co_await selection::run_decided(call.collective, inner.rank(), call.args);
}

// Mock-ups that do no more than calls with the buffers that they are given.
template <auto calls_of>
Task run_in_turn(Rank& me, CollectiveArgs args) {
  const auto calls = calls_of(args, me.size());
  for (const InnerCall& call : calls) co_await run_call(me, call);
}

}  // namespace tutti::algorithms::guidelines
