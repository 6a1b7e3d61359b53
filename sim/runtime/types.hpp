// SPDX-License-Identifier: BSD-3-Clause
// Basic types of rank programs: ranks, memory slices, requests, ties, noise.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/random.hpp"

namespace tutti::runtime {

using RankId = std::int32_t;
inline constexpr RankId any_source = -1;
inline constexpr std::int32_t any_tag = -1;

// A piece of a rank's symbolic memory: `bytes` from `offset` of buffer number `buffer`. The timed
// engines use only `bytes`; the ideal engine moves the contents, which verifies the data flow.
struct Slice {
  Bytes offset = 0;
  Bytes bytes = 0;
  std::int32_t buffer = 0;

  Slice part(Bytes from, Bytes length) const { return {offset + from, length, buffer}; }
  bool operator==(const Slice&) const = default;
};

// Slices of one size, `stride` bytes apart (negative: downwards), as in MPI's vector types.
struct Strided {
  Slice first;
  Bytes stride = 0;
  std::int64_t count = 0;

  Slice operator[](std::int64_t index) const {
    return {first.offset + index * stride, first.bytes, first.buffer};
  }
};

// Buffer numbers of collectives: MPI's recvbuf and sendbuf, then scratch buffers. bcast works in
// place in `recv_buffer`.
inline constexpr std::int32_t recv_buffer = 0;
inline constexpr std::int32_t send_buffer = 1;
inline constexpr std::int32_t scratch_buffer = 2;  // and higher numbers

// The side of the incoming operand in a reduction, which may be non-commutative.
enum class Operand : std::uint8_t { left, right };

// Sends: `synchronous` ones use the rendezvous protocol for any size.
enum class SendKind : std::uint8_t { blocking, immediate, synchronous };

// A pending isend or irecv. Must be waited for exactly once (as MPI_Wait frees its request).
struct Request {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
};

// Simultaneous events.

inline constexpr Seconds tie_window_s = 1e-12;

// The end of the window in which events are simultaneous with one at `time_s`: at least a few units
// in the last place.
inline Seconds after_ties(Seconds time_s) {
  return time_s + std::max(tie_window_s, 1e-15 * time_s);
}

// The working set of local work in bytes, which determines its bandwidth: one for all ranks, or one
// for each rank. A larger piece of work is its own working set.
struct WorkingSet {
  WorkingSet(Bytes all = 0) : of_all(all) {}  // implicit: most jobs have one for all ranks

  Bytes of_all;
  std::vector<Bytes> of_ranks;  // empty: that of all
};

// Noise on local work of ranks (overheads of sends and receives, copies, operations, computation):
// a function of seed, rank and number of the piece of work, so that it is the same in all engines.

struct Noise {
  enum class Kind : std::uint8_t {
    none,
    multiplicative,  // a piece of work takes (1 + amount * E) times as long
    additive         // it takes amount * E seconds longer; E is exponential with mean 1
  } kind = Kind::none;
  double amount = 0;
  std::uint64_t seed = 0;

  Seconds prolonged(Seconds duration_s, std::uint64_t rank, std::uint64_t index) const {
    if (kind == Kind::none) return duration_s;
    const double drawn = amount * random_exponential(seed, rank, index);
    return kind == Kind::additive ? duration_s + drawn : duration_s * (1 + drawn);
  }
};

}  // namespace tutti::runtime
