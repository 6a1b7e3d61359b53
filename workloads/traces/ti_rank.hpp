// SPDX-License-Identifier: BSD-3-Clause
// The events of a rank, from the actions of a time independent trace.
#pragma once

#include <deque>
#include <initializer_list>

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// The regions that such a trace has, by their index.
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
  barrier,
  bcast,
  reduce,
  allreduce,
  alltoall,
  alltoallv,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  reduce_scatter,
  scan,
  exscan
};
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
    std::uint64_t sent = 0, received = 0;  // plainly counted
  };
  // As SMPI finds requests.
  struct Key {
    TraceRank from = 0, to = 0;
    std::uint32_t tag = 0;
    auto operator<=>(const Key&) const = default;
  };

  // False: the time is beyond what a clock counts.
  bool pass(TiRegion region, double seconds);
  void send(const Message& message);
  void recv(const Message& message);
  void sendrecv(const Message& sent, const Message& received);
  void isend(const Message& message);
  void irecv(const Message& message);
  void test(const Key& key);
  // The first request of the key that is under way. False: there is none.
  bool wait(const Key& key);
  void wait_all();
  void collective(TiRegion region, const Collective& what);
  // What is under way completes.
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
  std::map<std::uint64_t, Request> under_way_;  // by id, in the order of posting
  std::map<Key, std::deque<std::uint64_t>> ids_;
};

}  // namespace tutti::workloads::traces
