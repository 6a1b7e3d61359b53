// SPDX-License-Identifier: BSD-3-Clause
// An event of a trace, as replay looks at it: what OTF2 says, with all identifiers resolved. Of
// calls that transfer messages each has a region around it: enter, what is sent or got, leave.
#pragma once

#include <cstdint>

namespace tutti::workloads::traces {

// Of the trace's clock, from the first event of all ranks on.
using Ticks = std::int64_t;
using TraceRank = std::uint32_t;  // 0 .. ranks - 1, of the whole trace
inline constexpr std::uint32_t none = UINT32_MAX;

enum class EventKind : std::uint8_t {
  enter,              // id: region
  leave,              // id: region
  send,               // id: receiver; comm, tag, bytes
  isend,              // the same; request
  isend_complete,     // request
  irecv_request,      // request; all else is known at its completion
  recv,               // id: sender; comm, tag, bytes
  irecv,              // a receive that completes: the same; request
  request_test,       // request: not complete yet
  request_cancelled,  // request
  collective_begin,
  collective_end,  // id: root, or none; comm, op, bytes (received), sent_bytes
  other            // what replay has no use for: metrics, parameters, ...
};

// As OTF2 numbers them (OTF2_CollectiveOp).
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
  other  // handles that are made and freed
};

struct Event {
  Ticks time = 0;
  std::uint64_t bytes = 0;
  union {
    std::uint64_t request = 0;  // unique on its rank among those under way
    std::uint64_t sent_bytes;   // of a collective
  };
  std::uint32_t id = none;
  std::uint32_t comm = none;
  std::uint32_t tag = 0;
  EventKind kind = EventKind::other;
  CollectiveOp op = CollectiveOp::other;
};
static_assert(sizeof(Event) == 40);

}  // namespace tutti::workloads::traces
