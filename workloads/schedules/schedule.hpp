// SPDX-License-Identifier: BSD-3-Clause
// Schedules: the operations of each rank of a job, read from a file of GOAL text (T. Hoefler,
// T. Schneider, A. Lumsdaine, "LogGOPSim", HPDC 2010, LSAP workshop; grammar: txt2bin.re of ATLAHS)
// or recorded from a run.
//
// A file has one of two meanings:
//   dependencies  an operation starts as soon as those are done that it requires, and its CPU is
//                 free (goal_program.cpp). This is what GOAL means.
//   program       the operations of a rank are executed in the order of the file, with the waits of
//                 a program of MPI (schedule_program.hpp). The first line is "// tutti schedule 1",
//                 and comments contain what GOAL cannot express: waits, the contents of messages,
//                 local work by bytes. README.md describes them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::workloads::schedules {

enum class OpKind : std::uint8_t {
  send,              // MPI_Isend
  blocking_send,     // the send of MPI_Send or MPI_Sendrecv; only in programs, as all below
  synchronous_send,  // MPI_Issend
  receive,           // MPI_Irecv
  compute,
  copy,
  copies,  // strided
  clear,
  combine,       // the incoming operand is on the right
  combine_left,  // on the left
  allocate,
  wait,     // charged in the order of the list
  wait_all  // charged in the order of completion
};

// Limits of sizes, of durations in nanoseconds, and of the slices of a strided copy.
inline constexpr std::int64_t most_bytes = std::int64_t{1} << 61;
inline constexpr std::int64_t longest_ns = 1'000'000'000'000'000'000;
inline constexpr std::int64_t most_slices = 1 << 24;

inline bool is_send(OpKind kind) { return kind <= OpKind::synchronous_send; }
inline bool is_message(OpKind kind) { return kind <= OpKind::receive; }
inline bool is_wait(OpKind kind) { return kind >= OpKind::wait; }

struct Op {
  // Of messages and local work: bytes. Of `compute`: nanoseconds. Of waits: number of requests.
  std::int64_t size = 0;
  runtime::RankId peer = 0;   // runtime::any_source: any
  std::int32_t tag = 0;       // runtime::any_tag: any; of `compute`: 1 if its details are exact
  std::uint32_t line = 0;     // in the file, from 1
  std::uint32_t details = 0;  // programs: index in Operations::details; otherwise the number of
                              // operations that this one requires
  OpKind kind = OpKind::compute;
  std::uint8_t cpu = 0;
  std::uint16_t unused = 0;
};
static_assert(sizeof(Op) == 32);

// The operations of one rank.
struct Operations {
  std::vector<Op> ops;
  // Programs. Of a message: where its data are, and the slot of its request while it is pending.
  // Of local work: the slices. Of a wait: the slots of its requests.
  std::vector<std::int64_t> details;
  std::uint32_t slots = 0;  // largest number of pending requests
  int cpus = 1;             // one more than the largest number
  // Dependencies: the operations that require operation i are followers[first[i] .. first[i + 1]),
  // each doubled, plus 1 if it may start when i starts (irequires).
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> followers;
};

// The call that a schedule implements.
struct ScheduledCall {
  std::string collective;
  Bytes message_bytes = 0;
  Bytes element_bytes = 1;
  runtime::RankId root = 0;
};

struct Schedule {
  std::string path;
  std::string content;  // a hash of the file
  bool is_program = false;
  std::optional<ScheduledCall> call;
  std::vector<Operations> ranks;
  int cpus = 1;              // of the rank that has most
  bool has_nics = false;     // some operation names a NIC other than 0
  bool has_any_tag = false;  // some receive accepts any tag
  std::int64_t ops = 0;
  std::int64_t messages = 0;  // number of sends

  int procs() const { return static_cast<int>(ranks.size()); }
};

// Numbers in Operations::details, in this order:
//   a message         its offset; its buffer and slot
//   copy, combine     offset of the result; both buffers; offset of the other slice
//   copies            the same; number of slices; their strides
//   clear             offset; buffer and 0
//   compute           the duration in seconds, as bits
//   wait              the slots of its requests
inline std::int64_t packed(std::int32_t buffer, std::uint32_t low) {
  return static_cast<std::int64_t>(std::uint64_t{static_cast<std::uint32_t>(buffer)} << 32 | low);
}
inline std::int32_t buffer_of(std::int64_t packed) {
  return static_cast<std::int32_t>(packed >> 32);
}
inline std::uint32_t low_of(std::int64_t packed) { return static_cast<std::uint32_t>(packed); }

// The buffer of data without an annotation.
inline constexpr std::int32_t unnamed_buffer = 1 << 20;

}  // namespace tutti::workloads::schedules
