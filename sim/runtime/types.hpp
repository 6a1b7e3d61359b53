// SPDX-License-Identifier: BSD-3-Clause
// The vocabulary of rank programs.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::runtime {

using RankId = std::int32_t;
inline constexpr RankId any_source = -1;

// A piece of a rank's symbolic memory: `bytes` from `offset` of buffer number `buffer`. The timed
// engines only look at `bytes`; the ideal engine moves the contents and so proves the data flow.
struct Slice {
  Bytes offset = 0;
  Bytes bytes = 0;
  std::int32_t buffer = 0;

  Slice part(Bytes from, Bytes length) const { return {offset + from, length, buffer}; }
  bool operator==(const Slice&) const = default;
};

// Slices of one size, `stride` bytes apart (negative: downwards): what MPI's vector types are for.
struct Strided {
  Slice first;
  Bytes stride = 0;
  std::int64_t count = 0;

  Slice operator[](std::int64_t index) const {
    return {first.offset + index * stride, first.bytes, first.buffer};
  }
};

// Buffers by convention of the collectives: what MPI calls sendbuf and recvbuf, then scratch.
// bcast works in place in `recv_buffer`.
inline constexpr std::int32_t recv_buffer = 0;
inline constexpr std::int32_t send_buffer = 1;
inline constexpr std::int32_t scratch_buffer = 2;  // and above

// On which side of a reduction's operator the operand stands that comes in: the operation need not
// be commutative.
enum class Operand : std::uint8_t { left, right };

// A pending isend or irecv. Must be waited for exactly once (as MPI_Wait frees its request).
struct Request {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
};

}  // namespace tutti::runtime
