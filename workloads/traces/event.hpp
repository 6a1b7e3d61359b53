// SPDX-License-Identifier: BSD-3-Clause
// An event of a trace as replay sees it: an OTF2 event with all identifiers resolved. Each call
// that transfers messages is a region: enter, the messages sent or received, leave.
#pragma once

#include <cstring>
#include <new>

#include "sim/base/common.hpp"

namespace tutti::workloads::traces {

// Ticks of the trace's clock since the first event of all ranks.
using Ticks = std::int64_t;
// A location: the main threads of the ranks come first, then other threads and streams.
using TraceRank = std::uint32_t;
inline constexpr std::uint32_t none = UINT32_MAX;

enum class EventKind : std::uint8_t {
  enter,              // id: region
  leave,              // id: region
  send,               // id: receiver; comm, tag, bytes
  isend,              // the same; request
  isend_complete,     // request
  irecv_request,      // request; the rest is known at its completion
  recv,               // id: sender; comm, tag, bytes
  irecv,              // completion of a receive: the same; request
  request_test,       // request: not complete yet
  request_cancelled,  // request
  collective_begin,
  // id: root, or none; comm, op, bytes (received), sent_bytes; tag: TraceDefinitions::blocks
  collective_end,
  collective_request,  // begin of a nonblocking collective: request
  icollective_end,     // its completion: the same as collective_end; tag: request
  group_sync,          // id: group; comm: window; tag: an RmaEpoch
  lock_request,  // id: target, or none (all); comm: window; tag: 1 if exclusive; request: lock
  lock_acquire,  // the same
  lock_release,  // the same, without tag
  thread_fork,
  thread_join,
  team_begin,  // comm: team
  team_end,    // comm: team
  // Of a single thread, as in pthreads. request: its number in the process; tag: of what threads
  thread_create,
  thread_begin,
  thread_wait,  // for the end
  thread_end,
  // Locks of threads. request: the lock in its process; tag: the number of the acquisition.
  thread_acquire,
  thread_release,
  // Tasks of threads. request: the task in its process; 0: the thread's own, implicit task.
  task_create,
  task_switch,
  task_complete,
  // Events that nothing waits for: metrics, parameters, ... A one-sided transfer has id: target;
  // comm: window.
  other
};

// Messages and collectives, rather than regions, windows and threads.
constexpr bool is_of_messages(EventKind kind) {
  return kind >= EventKind::send && kind <= EventKind::icollective_end;
}

// The numbers of OTF2 (OTF2_CollectiveOp).
enum class CollectiveOp : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  allreduce,
  reduce,
  reduce_scatter,
  scan,
  exscan,
  reduce_scatter_block,
  other  // creation and release of handles
};
inline constexpr std::size_t collective_op_count =
    static_cast<std::size_t>(CollectiveOp::other) + 1;
inline constexpr std::array<std::string_view, collective_op_count> collective_op_names{
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "allreduce",
    "reduce",
    "reduce_scatter",
    "scan",
    "exscan",
    "reduce_scatter_block",
    "other"};

// The calls of general active target synchronization.
enum class RmaEpoch : std::uint32_t { post, start, complete, wait, other };

struct Event {
  Ticks time = 0;
  std::uint64_t bytes = 0;
  union {
    std::uint64_t request = 0;  // unique among the pending requests of its rank
    std::uint64_t sent_bytes;   // for a collective
  };
  std::uint32_t id = none;
  std::uint32_t comm = none;
  std::uint32_t tag = 0;
  EventKind kind = EventKind::other;
  CollectiveOp op = CollectiveOp::other;
};
static_assert(sizeof(Event) == 40);

// An event in a store. Trailing fields are omitted if they have the values of `Event{}`; most
// events describe no message and thus take only two fifths of the full size.
struct EventRecord {
  static constexpr std::size_t least_bytes = 16;  // from time to record_bytes
  static constexpr std::size_t with_request_bytes = 24;
  static constexpr std::size_t most_bytes = 40;

  Ticks time = 0;
  std::uint32_t id = none;
  EventKind kind = EventKind::other;
  CollectiveOp op = CollectiveOp::other;
  std::uint16_t record_bytes = least_bytes;
  std::uint64_t request = 0;
  std::uint64_t bytes = 0;
  std::uint32_t comm = none;
  std::uint32_t tag = 0;
};
static_assert(sizeof(EventRecord) == EventRecord::most_bytes);
static_assert(offsetof(EventRecord, request) == EventRecord::least_bytes);
static_assert(offsetof(EventRecord, bytes) == EventRecord::with_request_bytes);

// Writes the event to `to`, which must be aligned to 8 B and have space for `most_bytes`. Returns
// the number of bytes written.
inline std::size_t write_record(const Event& event, std::byte* to) {
  const bool is_whole = event.bytes != 0 || event.comm != none || event.tag != 0;
  const std::size_t size = is_whole             ? EventRecord::most_bytes
                           : event.request != 0 ? EventRecord::with_request_bytes
                                                : EventRecord::least_bytes;
  ::new (to) EventRecord{.time = event.time,
                         .id = event.id,
                         .kind = event.kind,
                         .op = event.op,
                         .record_bytes = static_cast<std::uint16_t>(size),
                         .request = event.request,
                         .bytes = event.bytes,
                         .comm = event.comm,
                         .tag = event.tag};
  return size;
}

// Reads an event and returns its size in bytes; 0 if the bytes do not begin with a complete record.
inline std::size_t read_record(std::span<const std::byte> left, Event& event) {
  const std::byte* from = left.data();
  EventRecord record;
  if (left.size() < EventRecord::least_bytes) return 0;
  std::memcpy(static_cast<void*>(&record), from, EventRecord::least_bytes);
  const std::size_t size = record.record_bytes;
  if (size > left.size()) return 0;
  if (size == EventRecord::most_bytes)
    std::memcpy(static_cast<void*>(&record), from, EventRecord::most_bytes);
  else if (size == EventRecord::with_request_bytes)
    std::memcpy(&record.request, from + EventRecord::least_bytes, sizeof record.request);
  else if (size != EventRecord::least_bytes)
    return 0;
  event.time = record.time;
  event.bytes = record.bytes;
  event.request = record.request;
  event.id = record.id;
  event.comm = record.comm;
  event.tag = record.tag;
  event.kind = record.kind;
  event.op = record.op;
  return size;
}

}  // namespace tutti::workloads::traces
