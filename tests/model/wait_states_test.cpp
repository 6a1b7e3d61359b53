// SPDX-License-Identifier: BSD-3-Clause
// Scalasca's wait states, each in a trace made by hand, with values computed by hand from the
// descriptions of its patterns (version 2.5).
#include "sim/replay/wait_states.hpp"

#include <doctest/doctest.h>

#include "sim/replay/replay.hpp"
#include "tests/support/trace_builder.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::TraceBuilder;
using workloads::traces::RmaEpoch;
using Op = TraceBuilder::CollectiveOp;

namespace {

using ByRank = std::vector<Ticks>;

ReplayResult replayed(const TraceBuilder& builder) {
  const auto trace = builder.trace();
  auto result = replay(trace, {.causes = true});
  REQUIRE(result.largest_deviation == 0);
  return result;
}

ByRank waits(const ReplayResult& result, Metric metric) {
  ByRank sums;
  for (TraceRank rank = 0; rank < result.before.ranks(); ++rank) {
    sums.push_back(0);
    for (PathId path = 0; path < result.paths.size(); ++path)
      sums.back() += result.before.of(rank, path)[metric];
  }
  return sums;
}
ByRank waits(const TraceBuilder& builder, Metric metric) {
  return waits(replayed(builder), metric);
}

struct Calls {
  Ticks from = 0, to = 0;
};
// The members of a collective, in order.
TraceBuilder collective(const std::string& name, const TraceBuilder::Collective& what,
                        const std::vector<Calls>& calls) {
  TraceBuilder builder(static_cast<int>(calls.size()));
  auto of_all = what;
  if (name.starts_with("MPI_Win_")) of_all.comm = builder.window();
  for (std::size_t rank = 0; rank < calls.size(); ++rank)
    builder.collective(static_cast<int>(rank), name, calls[rank].from, calls[rank].to, of_all);
  return builder;
}

void epoch(TraceBuilder& builder, int rank, const std::string& name, RmaEpoch call,
           const Calls& time, std::uint32_t window, std::uint32_t group) {
  TraceBuilder::Event sync;
  sync.time = time.to;
  sync.kind = TraceBuilder::EventKind::group_sync;
  sync.id = group;
  sync.comm = window;
  sync.tag = static_cast<std::uint32_t>(call);
  builder.call(rank, name, time.from, time.to, {sync});
}
void put(TraceBuilder& builder, int rank, const Calls& time, std::uint32_t window,
         std::uint32_t target) {
  TraceBuilder::Event transfer;
  transfer.time = time.from;
  transfer.id = target;
  transfer.comm = window;
  builder.call(rank, "MPI_Put", time.from, time.to, {transfer});
}
void lock(TraceBuilder& builder, int rank, const std::string& name, TraceBuilder::EventKind kind,
          const Calls& time, std::uint32_t window) {
  TraceBuilder::Event event;
  event.time = kind == TraceBuilder::EventKind::lock_request ? time.from : time.to;
  event.kind = kind;
  event.id = 0;
  event.comm = window;
  event.tag = 1;
  builder.call(rank, name, time.from, time.to, {event});
}

// The sum of a cause in all call paths that end with a region; "": in no region.
Ticks caused(const TraceBuilder& builder, const ReplayResult& result, TraceRank rank,
             const std::string& region, Cause cause, WaitKind kind = WaitKind::other) {
  const auto regions = builder.trace().definitions.regions;
  Ticks sum = 0;
  for (const CauseTime& time : result.before.causes(rank)) {
    const std::string name = time.path == root_path ? "" : result.paths.name(time.path, regions);
    if (name == region && time.cause == cause && time.kind == kind) sum += time.ticks;
  }
  return sum;
}

}  // namespace

TEST_CASE("late sender: until the send begins") {
  TraceBuilder builder(2);
  builder.send(0, 60, 70, {.peer = 1});
  builder.recv(1, 0, 100, {.peer = 0});
  CHECK(waits(builder, Metric::late_sender) == ByRank{0, 60});
}

TEST_CASE("late receiver: until the receive begins") {
  TraceBuilder builder(2);
  builder.send(0, 0, 100, {.peer = 1});
  builder.recv(1, 70, 100, {.peer = 0});
  CHECK(waits(builder, Metric::late_receiver) == ByRank{70, 0});
}

TEST_CASE("wrong order: of late senders, if a message that is received later was sent earlier") {
  TraceBuilder same(2);
  same.send(0, 10, 20, {.peer = 1, .tag = 0});
  same.send(0, 50, 60, {.peer = 1, .tag = 1});
  same.recv(1, 0, 60, {.peer = 0, .tag = 1});
  same.recv(1, 60, 70, {.peer = 0, .tag = 0});
  CHECK(waits(same, Metric::wrong_order_same_source) == ByRank{0, 50});
  TraceBuilder other(3);
  other.send(0, 10, 20, {.peer = 2});
  other.send(1, 50, 60, {.peer = 2});
  other.recv(2, 0, 60, {.peer = 1});
  other.recv(2, 60, 70, {.peer = 0});
  CHECK(waits(other, Metric::wrong_order_other_source) == ByRank{0, 0, 50});
  CHECK(waits(other, Metric::wrong_order_same_source) == ByRank{0, 0, 0});
}

TEST_CASE("barrier and n to n: until the last rank enters; completion since the first one leaves") {
  const std::vector<Calls> calls{{0, 60}, {20, 55}, {50, 70}};
  const auto barrier = collective("MPI_Barrier", {}, calls);
  CHECK(waits(barrier, Metric::wait_at_barrier) == ByRank{50, 30, 0});
  CHECK(waits(barrier, Metric::barrier_completion) == ByRank{5, 0, 15});
  const auto allreduce =
      collective("MPI_Allreduce", {.op = Op::allreduce, .sent = 8, .received = 8}, calls);
  CHECK(waits(allreduce, Metric::wait_at_nxn) == ByRank{50, 30, 0});
  CHECK(waits(allreduce, Metric::nxn_completion) == ByRank{5, 0, 15});
  const auto alltoallv =
      collective("MPI_Alltoallv", {.op = Op::alltoallv, .sent = 8, .received = 8}, calls);
  CHECK(waits(alltoallv, Metric::wait_at_nxn) == ByRank{0, 0, 0});
}

TEST_CASE("late broadcast, early reduce and early scan") {
  const auto bcast = collective("MPI_Bcast", {.op = Op::bcast, .root = 1, .sent = 8, .received = 8},
                                {{0, 50}, {40, 50}, {10, 55}});
  CHECK(waits(bcast, Metric::late_broadcast) == ByRank{40, 0, 30});
  // Until the earliest sender enters.
  const auto reduce =
      collective("MPI_Reduce", {.op = Op::reduce, .root = 0, .sent = 8, .received = 8},
                 {{0, 70}, {60, 65}, {30, 35}});
  CHECK(waits(reduce, Metric::early_reduce) == ByRank{30, 0, 0});
  const auto scan = collective("MPI_Scan", {.op = Op::scan, .sent = 8, .received = 8},
                               {{20, 30}, {0, 30}, {10, 30}});
  CHECK(waits(scan, Metric::early_scan) == ByRank{0, 20, 10});
}

TEST_CASE("windows: creation, fence and release wait for the last rank, if all calls overlap") {
  const std::vector<Calls> calls{{0, 60}, {20, 60}, {50, 60}};
  const auto create = collective("MPI_Win_create", {.op = Op::other}, calls);
  CHECK(waits(create, Metric::wait_at_window_create) == ByRank{50, 30, 0});
  CHECK(waits(create, Metric::wait_at_window_free) == ByRank{0, 0, 0});
  const auto release = collective("MPI_Win_free", {.op = Op::other}, calls);
  CHECK(waits(release, Metric::wait_at_window_free) == ByRank{50, 30, 0});
  const auto fence = collective("MPI_Win_fence", {}, calls);
  CHECK(waits(fence, Metric::wait_at_fence) == ByRank{50, 30, 0});
}

TEST_CASE("late post: in MPI_Win_complete, or in a blocking MPI_Win_start") {
  for (const bool does_start_wait : {false, true}) {
    TraceBuilder builder(2);
    const auto window = builder.window(), target = builder.group({0}), origin = builder.group({1});
    const Ticks start = does_start_wait ? 50 : 5;
    epoch(builder, 0, "MPI_Win_post", RmaEpoch::post, {45, 47}, window, origin);
    epoch(builder, 0, "MPI_Win_wait", RmaEpoch::wait, {90, 95}, window, origin);
    epoch(builder, 1, "MPI_Win_start", RmaEpoch::start, {0, start}, window, target);
    epoch(builder, 1, "MPI_Win_complete", RmaEpoch::complete, {start + 5, 60}, window, target);
    CHECK(waits(builder, Metric::late_post) == ByRank{0, does_start_wait ? 45 : 35});
  }
}

TEST_CASE("early wait: until the last complete; late complete: after the last access") {
  TraceBuilder builder(3);
  const auto window = builder.window(), target = builder.group({0}), both = builder.group({0, 2}),
             origins = builder.group({1});
  epoch(builder, 0, "MPI_Win_post", RmaEpoch::post, {0, 2}, window, origins);
  epoch(builder, 0, "MPI_Win_wait", RmaEpoch::wait, {10, 90}, window, origins);
  epoch(builder, 2, "MPI_Win_post", RmaEpoch::post, {0, 2}, window, origins);
  epoch(builder, 2, "MPI_Win_wait", RmaEpoch::wait, {10, 90}, window, origins);
  epoch(builder, 1, "MPI_Win_start", RmaEpoch::start, {0, 5}, window, both);
  put(builder, 1, {20, 30}, window, 0);
  put(builder, 1, {30, 50}, window, 2);
  epoch(builder, 1, "MPI_Win_complete", RmaEpoch::complete, {70, 80}, window, both);
  const auto result = replayed(builder);
  CHECK(waits(result, Metric::early_wait) == ByRank{60, 0, 60});
  CHECK(waits(result, Metric::late_complete) == ByRank{40, 0, 20});
  // Without an access, all of it is due to the late complete.
  epoch(builder, 0, "MPI_Win_post", RmaEpoch::post, {100, 102}, window, origins);
  epoch(builder, 0, "MPI_Win_wait", RmaEpoch::wait, {110, 160}, window, origins);
  epoch(builder, 1, "MPI_Win_start", RmaEpoch::start, {100, 105}, window, target);
  epoch(builder, 1, "MPI_Win_complete", RmaEpoch::complete, {150, 155}, window, target);
  CHECK(waits(builder, Metric::late_complete) == ByRank{80, 0, 20});
}

TEST_CASE("lock competition: until the owner before has released the lock") {
  TraceBuilder builder(2);
  const auto window = builder.window();
  using Kind = TraceBuilder::EventKind;
  lock(builder, 0, "MPI_Win_lock", Kind::lock_request, {0, 2}, window);
  lock(builder, 0, "MPI_Win_unlock", Kind::lock_release, {40, 50}, window);
  lock(builder, 1, "MPI_Win_lock", Kind::lock_request, {10, 12}, window);
  lock(builder, 1, "MPI_Win_unlock", Kind::lock_release, {20, 60}, window);
  CHECK(waits(builder, Metric::lock_contention) == ByRank{0, 30});
}

// Rank 0 computes 100, rank 1 only 40, and waits 60 for its message. Then rank 1 continues, and
// rank 2 has waited for it since the begin.
TEST_CASE("direct and indirect, propagating and terminal waits, and the costs of delays") {
  TraceBuilder builder(3);
  builder.region(0, "foo", 0, 100);
  builder.send(0, 100, 101, {.peer = 1});
  builder.region(1, "foo", 0, 40);
  builder.recv(1, 40, 101, {.peer = 0});
  builder.region(1, "bar", 101, 111);
  builder.send(1, 111, 112, {.peer = 2});
  builder.recv(2, 0, 112, {.peer = 1});
  const auto result = replayed(builder);
  const auto of = [&](TraceRank rank, const char* region, Cause cause) {
    return caused(builder, result, rank, region, cause, WaitKind::late_sender);
  };
  CHECK(of(1, "MPI_Recv", Cause::wait_direct) == 60);
  CHECK(of(1, "MPI_Recv", Cause::wait_indirect) == 0);
  CHECK(of(1, "MPI_Recv", Cause::wait_propagating) == 60);
  CHECK(of(1, "MPI_Recv", Cause::wait_terminal) == 0);
  CHECK(of(2, "MPI_Recv", Cause::wait_direct) == 40 + 10 + 1);
  CHECK(of(2, "MPI_Recv", Cause::wait_indirect) == 60);
  CHECK(of(2, "MPI_Recv", Cause::wait_propagating) == 0);
  CHECK(of(2, "MPI_Recv", Cause::wait_terminal) == 111);
  CHECK(of(0, "foo", Cause::delay) == 60);
  CHECK(of(0, "foo", Cause::delay_longterm) == 60);
  CHECK(of(1, "foo", Cause::delay) == 40);
  CHECK(of(1, "bar", Cause::delay) == 10);
  CHECK(of(1, "MPI_Recv", Cause::delay) == 1);
}

// As before, but rank 2 meets rank 1 in a barrier after 71 of its own: it waits 30 of the 101 that
// rank 1 needed, of which that waited 60.
TEST_CASE("the costs of delays are those of the kind of wait at the end of the chain") {
  TraceBuilder builder(3);
  const auto comm = builder.communicator("pair", {1, 2});
  builder.region(0, "foo", 0, 100);
  builder.send(0, 100, 101, {.peer = 1});
  builder.region(1, "foo", 0, 40);
  builder.recv(1, 40, 101, {.peer = 0});
  builder.collective(1, "MPI_Barrier", 101, 110, {.comm = comm});
  builder.region(2, "baz", 0, 71);
  builder.collective(2, "MPI_Barrier", 71, 110, {.comm = comm});
  const auto result = replayed(builder);
  const auto of = [&](TraceRank rank, const char* region, Cause cause, WaitKind kind) {
    return caused(builder, result, rank, region, cause, kind);
  };
  CHECK(of(2, "MPI_Barrier", Cause::wait_indirect, WaitKind::barrier) == 18);  // 30 * 60 / 101
  CHECK(of(2, "MPI_Barrier", Cause::wait_direct, WaitKind::barrier) == 12);
  CHECK(of(1, "MPI_Recv", Cause::wait_propagating, WaitKind::late_sender) == 18);
  CHECK(of(1, "MPI_Recv", Cause::wait_terminal, WaitKind::late_sender) == 42);
  CHECK(of(0, "foo", Cause::delay, WaitKind::late_sender) == 60);
  CHECK(of(0, "foo", Cause::delay_longterm, WaitKind::late_sender) == 0);
  CHECK(of(0, "foo", Cause::delay_longterm, WaitKind::barrier) == 18);
  CHECK(of(1, "foo", Cause::delay, WaitKind::barrier) == 12);  // 30 * 40 / 101
}

// The critical path is rank 0: 100 of computation, 10 of MPI_Barrier. Rank 1 waits 60.
TEST_CASE("imbalance of the critical path, of ranks that do the same or something else") {
  for (const bool does_same : {true, false}) {
    const std::string of_rank_1 = does_same ? "foo" : "bar";
    TraceBuilder builder(2);
    builder.region(0, "foo", 0, 100);
    builder.region(1, of_rank_1, 0, 40);
    builder.collective(0, "MPI_Barrier", 100, 110, {});
    builder.collective(1, "MPI_Barrier", 40, 110, {});
    const auto result = replayed(builder);
    const auto of = [&](TraceRank rank, const std::string& region, Cause cause) {
      return caused(builder, result, rank, region, cause);
    };
    CHECK(of(0, "foo", Cause::critical_activity) == 100);
    CHECK(of(1, "MPI_Barrier", Cause::critical_activity) == 10);
    CHECK(of(1, of_rank_1, Cause::critical_activity) == (does_same ? 40 : 0));
    CHECK(of(1, of_rank_1, Cause::other_activity) == (does_same ? 0 : 40));
    CHECK(of(0, "foo", Cause::imbalance_within) == (does_same ? 60 : 0));
    CHECK(of(0, "foo", Cause::imbalance_between) == (does_same ? 0 : 60));
  }
}
