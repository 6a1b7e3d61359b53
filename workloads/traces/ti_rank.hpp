// SPDX-License-Identifier: BSD-3-Clause
// Produces the events of a rank from the actions of a time-independent trace.
#pragma once

#include <deque>
#include <initializer_list>

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// The regions of such a trace by index, without those of collectives, which follow in the order of
// `ti_collectives`.
enum class TiRegion : std::uint32_t {
  main,
  compute,
  sleep,
  send,
  isend,
  recv,
  irecv,
  sendrecv,
  test,
  wait,
  waitall,
  first_collective
};
inline constexpr std::array ti_collectives = {
    CollectiveOp::barrier,        CollectiveOp::bcast,     CollectiveOp::reduce,
    CollectiveOp::allreduce,      CollectiveOp::alltoall,  CollectiveOp::alltoallv,
    CollectiveOp::gather,         CollectiveOp::gatherv,   CollectiveOp::scatter,
    CollectiveOp::scatterv,       CollectiveOp::allgather, CollectiveOp::allgatherv,
    CollectiveOp::reduce_scatter, CollectiveOp::scan,      CollectiveOp::exscan};
std::vector<TraceRegion> ti_regions();

class TiRank {
 public:
  TiRank(EventStore& store, TraceRank rank) : store_(store), rank_(rank) {
    store_.begin(rank);
    add(EventKind::enter, TiRegion::main);
  }

  struct Message {
    TraceRank peer = 0;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
  };
  struct Collective {
    CollectiveOp op = CollectiveOp::barrier;
    TraceRank root = none;
    std::uint64_t sent = 0, received = 0;  // see ByteCounts::blocks
    std::uint32_t blocks = 0;              // see TraceDefinitions::blocks
  };
  // The key by which SMPI finds requests.
  struct Key {
    TraceRank from = 0, to = 0;
    std::uint32_t tag = 0;
    auto operator<=>(const Key&) const = default;
  };

  // Lets `seconds` pass in the region. False if the time exceeds the range of the clock.
  bool pass(TiRegion region, double seconds);
  void send(const Message& message);
  void recv(const Message& message);
  void sendrecv(const Message& sent, const Message& received);
  void isend(const Message& message);
  void irecv(const Message& message);
  // A call of MPI_Test, before which SMPI lets time pass.
  void test(const Key& key);
  // Completes the first pending request with this key. False if there is none.
  bool wait(const Key& key);
  void wait_all();
  void collective(const Collective& call);
  // Completes all pending requests.
  void finish();

 private:
  struct Request {
    Key key;
    bool is_receive = false;
    std::uint64_t bytes = 0;
  };

  Event event(EventKind kind) const;
  Event transfer(EventKind kind, const Message& message, std::uint64_t request = 0) const;
  Event completion(std::uint64_t id, const Request& request) const;
  void add(EventKind kind, TiRegion region);
  void call(TiRegion region, std::initializer_list<Event> inside);
  Event completed(std::map<std::uint64_t, Request>::iterator request);

  EventStore& store_;
  TraceRank rank_;
  double now_s_ = 0;
  std::uint64_t last_request_ = 0;
  std::map<std::uint64_t, Request> under_way_;  // pending requests by id, in posting order
  std::map<Key, std::deque<std::uint64_t>> ids_;
};

}  // namespace tutti::workloads::traces
