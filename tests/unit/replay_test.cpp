// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay.hpp"

#include <doctest/doctest.h>

#include "tests/support/trace_builder.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::TraceBuilder;
using workloads::traces::CollectiveOp;

namespace {

struct Kept : ReplaySink {
  explicit Kept(std::size_t ranks) : times(ranks), keeps(ranks) {}
  void event(TraceRank rank, Ticks time, bool kept) override {
    times[rank].push_back(time);
    keeps[rank].push_back(kept);
  }
  std::vector<std::vector<Ticks>> times;
  std::vector<std::vector<bool>> keeps;
};

Ticks total(const MetricTable& table, Metric metric) {
  return table.total()[static_cast<std::size_t>(metric)];
}

ReplayArgs with(Hypothesis hypothesis) { return {.hypothesis = std::move(hypothesis)}; }

ReplayArgs loggp(Hypothesis hypothesis = {}) {
  LogGP costs{.L_s = 2e-6, .o_s = 1e-6, .G_s_per_B = 1e-9, .call_gap_s = 500e-9};
  costs.collective_s.fill(20e-6);
  return {.hypothesis = std::move(hypothesis), .loggp = costs};
}

// Rank 0 computes for 100 us in foo, then sends 1000 B; rank 1 computes 10 us and receives.
TraceBuilder late_sender() {
  TraceBuilder builder(2);
  builder.enter(0, "main", 0);
  builder.region(0, "foo", 0, 100'000);
  builder.send(0, 100'000, 101'000, {.peer = 1, .bytes = 1000});
  builder.leave(0, "main", 101'500);
  builder.enter(1, "main", 0);
  builder.region(1, "foo", 0, 10'000);
  builder.recv(1, 10'000, 105'000, {.peer = 0, .bytes = 1000});
  builder.leave(1, "main", 105'500);
  return builder;
}

void check_identity(const TraceBuilder& builder, const ReplayArgs& args = {}) {
  const auto trace = builder.trace();
  Kept kept(trace.definitions.ranks.size());
  const auto result = replay(trace, args, &kept);
  CHECK(result.largest_deviation == 0);
  CHECK(result.cut_events == 0);
  for (std::size_t rank = 0; rank < kept.times.size(); ++rank) {
    REQUIRE(kept.times[rank].size() == builder.events()[rank].size());
    for (std::size_t i = 0; i < kept.times[rank].size(); ++i)
      CHECK(kept.times[rank][i] == builder.events()[rank][i].time);
  }
}

}  // namespace

TEST_CASE("without a hypothesis every event keeps its time") {
  check_identity(late_sender());
  check_identity(late_sender(), loggp());  // 1 us + 2 us + 1000 ns + 1 us after the send
}

TEST_CASE("a late sender is found, and disappears when it is no longer late") {
  const auto trace = late_sender().trace();
  const auto as_it_is = replay(trace, {});
  CHECK(total(as_it_is.before, Metric::late_sender) == 90'000);
  CHECK(total(as_it_is.before, Metric::blocked) == 90'000);
  CHECK(as_it_is.messages == 1);
  const auto faster = replay(trace, with({.scales = {{.region = "foo", .factor = 0.1}}}));
  CHECK(total(faster.after, Metric::late_sender) == 9'000);  // 10 us against 1 us
  CHECK(faster.end_after == 15'500);
  CHECK(faster.end_before == 105'500);
  const auto balanced = replay(trace, with({.balances = {{.region = "foo"}}}));
  CHECK(total(balanced.after, Metric::late_sender) == 0);
  CHECK(balanced.end_after == 55'000 + 5'000 + 500);
}

TEST_CASE("scale changes exclusive time in the selected regions, above the call latency") {
  TraceBuilder builder(1);
  builder.enter(0, "main", 0);
  builder.enter(0, "outer", 100);
  builder.region(0, "inner", 1'100, 2'100);
  builder.region(0, "inner", 2'150, 3'150);
  builder.leave(0, "outer", 7'150);
  builder.region(0, "inner", 7'150, 8'150);
  builder.leave(0, "main", 8'200);
  const auto trace = builder.trace();
  const auto end = [&](Hypothesis hypothesis) {
    return replay(trace, with(std::move(hypothesis))).end_after;
  };
  CHECK(end({.scales = {{.region = "outer", .factor = 2}}}) == 8'200 + 1'000 + 50 + 4'000);
  CHECK(end({.scales = {{.region = "outer", .factor = 2}}, .call_latency_s = 100e-9}) ==
        8'200 + 1'000 + 4'000);
  CHECK(end({.scales = {{.region = "inner", .factor = 0, .within = "outer"}}}) == 6'200);
  CHECK(end({.scales = {{.region = "outer",
                         .factor = 0,
                         .part = Scale::Part::before,
                         .inner = "inner"}}}) == 7'200);
  CHECK(end({.scales = {{.region = "outer",
                         .factor = 0,
                         .part = Scale::Part::after,
                         .inner = "inner"}}}) == 8'200 - 4'050);
  CHECK(end({.cuts = {{.region = "outer"}}}) == 8'200 - 7'050);
  CHECK(end({.cuts = {{.region = "inner", .within = "outer"}}}) == 6'200);
}

TEST_CASE("the four balancing methods give their documented durations") {
  // foo takes 10, 30 on rank 0 and 20, 60 on rank 1.
  TraceBuilder builder(2);
  const Ticks durations[2][2] = {{10'000, 30'000}, {20'000, 60'000}};
  for (int rank = 0; rank < 2; ++rank) {
    builder.enter(rank, "main", 0);
    Ticks now = 0;
    for (const Ticks ticks : durations[rank]) {
      builder.region(rank, "foo", now, now + ticks);
      now += ticks;
    }
    builder.leave(rank, "main", now);
  }
  const auto trace = builder.trace();
  const auto instances = [&](Balance::Mode mode) {
    Kept kept(2);
    replay(trace, with({.balances = {{.region = "foo", .mode = mode}}}), &kept);
    std::vector<Ticks> found;
    for (const auto& times : kept.times) {
      found.push_back(times[2] - times[1]);
      found.push_back(times[4] - times[3]);
    }
    return found;
  };
  CHECK(instances(Balance::Mode::global_instance) ==
        std::vector<Ticks>{15'000, 45'000, 15'000, 45'000});
  CHECK(instances(Balance::Mode::process_local) ==
        std::vector<Ticks>{20'000, 20'000, 40'000, 40'000});
  CHECK(instances(Balance::Mode::global) == std::vector<Ticks>{30'000, 30'000, 30'000, 30'000});
  // Sums of 40 and 80 become 60.
  CHECK(instances(Balance::Mode::scaled) == std::vector<Ticks>{15'000, 45'000, 15'000, 45'000});
}

TEST_CASE("both halves of a removed message disappear, and the callers' own time stays") {
  TraceBuilder builder(2);
  builder.enter(0, "main", 0);
  builder.send(0, 1'000, 2'000, {.peer = 1, .bytes = 0});
  builder.send(0, 2'500, 3'500, {.peer = 1, .bytes = 8});
  builder.leave(0, "main", 4'000);
  builder.enter(1, "main", 0);
  builder.recv(1, 500, 5'000, {.peer = 0, .bytes = 0});
  builder.recv(1, 5'500, 6'508, {.peer = 0, .bytes = 8});
  builder.leave(1, "main", 7'008);
  check_identity(builder);
  const auto trace = builder.trace();
  const Hypothesis empty{.cuts = {{.message_bytes = 0}}, .call_gap_s = 0.0};
  Kept kept(2);
  const auto recorded = replay(trace, with(empty), &kept);
  CHECK(kept.keeps[0] == std::vector<bool>{true, false, false, false, true, true, true, true});
  CHECK(kept.keeps[1] == kept.keeps[0]);
  CHECK(recorded.cut_events == 6);
  CHECK(kept.times[0][4] == 1'500);  // 1,000 of main, and the 500 between the calls
  // The gap between two calls belongs to the removed one, if the model defines it so.
  Kept by_loggp(2);
  replay(trace, loggp(empty), &by_loggp);
  CHECK(by_loggp.times[0][4] == 1'000);
  const auto by_side = replay(trace, with({.cuts = {{.region = "MPI_Send"}}, .call_gap_s = 0.0}));
  CHECK(by_side.cut_events == 12);
  CHECK(by_side.notes.empty());
}

TEST_CASE("the n-th message goes to the n-th posted receive, for any order of completion") {
  TraceBuilder builder(2);
  const TraceBuilder::Message first{.peer = 0, .bytes = 8}, second{.peer = 0, .bytes = 16};
  builder.enter(0, "main", 0);
  builder.send(0, 1'000, 2'000, {.peer = 1, .bytes = 8});
  builder.send(0, 50'000, 51'000, {.peer = 1, .bytes = 16});
  builder.leave(0, "main", 52'000);
  builder.enter(1, "main", 0);
  builder.irecv(1, 100, 200, 7);
  builder.irecv(1, 300, 400, 3);
  // The second one is reported first: its message arrives at 50,000.
  builder.wait(1, "MPI_Waitall", 1'000, 54'016, {{3, &second}, {7, &first}});
  builder.leave(1, "main", 55'000);
  check_identity(builder);
  const auto result = replay(builder.trace(), {});
  CHECK(total(result.before, Metric::late_sender) == 49'000);
  CHECK(result.violations.receives == 0);
}

TEST_CASE("wait states of collectives are found") {
  TraceBuilder builder(3);
  const Ticks enter[3] = {1'000, 5'000, 9'000};
  for (int rank = 0; rank < 3; ++rank) {
    builder.enter(rank, "main", 0);
    builder.collective(rank, "MPI_Barrier", enter[rank], 10'000 + rank, {});
    builder.collective(rank, "MPI_Allreduce", 20'000 + enter[rank], 30'000,
                       {.op = CollectiveOp::allreduce, .sent = 24, .received = 24});
    builder.collective(
        rank, "MPI_Bcast", 40'000 + enter[rank], 50'000,
        {.op = CollectiveOp::bcast, .root = 1, .sent = rank == 1 ? 24u : 0u, .received = 8});
    builder.collective(
        rank, "MPI_Reduce", 60'000 + enter[rank], 70'000,
        {.op = CollectiveOp::reduce, .root = 0, .sent = 8, .received = rank == 0 ? 24u : 0u});
    builder.collective(rank, "MPI_Scan", 80'000 - enter[rank], 90'000,
                       {.op = CollectiveOp::scan, .sent = 8, .received = 8});
    builder.leave(rank, "main", 100'000);
  }
  check_identity(builder);
  const auto result = replay(builder.trace(), {});
  CHECK(total(result.before, Metric::wait_at_barrier) == 8'000 + 4'000);
  CHECK(total(result.before, Metric::barrier_completion) == 0 + 1 + 2);
  CHECK(total(result.before, Metric::wait_at_nxn) == 8'000 + 4'000);
  CHECK(total(result.before, Metric::nxn_completion) == 0);
  CHECK(total(result.before, Metric::late_broadcast) == 4'000);  // of rank 0
  CHECK(total(result.before, Metric::early_reduce) == 4'000);    // the earliest of the others
  CHECK(total(result.before, Metric::early_scan) == 4'000 + 8'000);
  CHECK(result.collectives == 15);
}

TEST_CASE("messages in the wrong order and late receivers are found") {
  TraceBuilder builder(2);
  const TraceBuilder::Message early{.peer = 1, .bytes = 8, .tag = 1};
  builder.enter(0, "main", 0);
  builder.send(0, 1'000, 2'000, {.peer = 1, .tag = 1});
  builder.send(0, 40'000, 41'000, {.peer = 1, .tag = 2});
  builder.send(0, 42'000, 60'000, {.peer = 1, .tag = 3});
  builder.leave(0, "main", 61'000);
  builder.enter(1, "main", 0);
  builder.recv(1, 10'000, 43'000, {.peer = 0, .tag = 2});  // waits although tag 1 has arrived
  builder.recv(1, 44'000, 45'000, {.peer = 0, .tag = 1});
  builder.recv(1, 50'000, 60'000, {.peer = 0, .tag = 3});
  builder.leave(1, "main", 61'000);
  const auto result = replay(builder.trace(), {});
  CHECK(total(result.before, Metric::late_sender) == 30'000);
  CHECK(total(result.before, Metric::wrong_order_same_source) == 30'000);
  CHECK(total(result.before, Metric::late_receiver) == 8'000);
  (void)early;
}

TEST_CASE("collectives on some ranks, and on a single one, are replayed") {
  TraceBuilder builder(4);
  const auto low = builder.communicator("low", {1, 0}), high = builder.communicator("high", {2, 3});
  const auto self = builder.communicator("self", {});
  for (int rank = 0; rank < 4; ++rank) {
    builder.enter(rank, "main", 0);
    builder.collective(rank, "MPI_Bcast", 1'000 * (rank + 1), 9'000 + rank,
                       {.op = CollectiveOp::bcast,
                        .root = rank < 2 ? 1u : 3u,
                        .received = 8,
                        .comm = rank < 2 ? low : high});
    builder.collective(rank, "MPI_Barrier", 10'000, 10'100, {.comm = self});
    builder.leave(rank, "main", 20'000);
  }
  check_identity(builder);
  const auto result = replay(builder.trace(), {});
  CHECK(total(result.before, Metric::late_broadcast) == 1'000 + 1'000);
  CHECK(total(result.before, Metric::wait_at_barrier) == 0);
}

TEST_CASE("receives without a completion whose requests are reused are replayed") {
  TraceBuilder builder(2);
  const TraceBuilder::Message second{.peer = 0, .tag = 2};
  builder.enter(0, "main", 0);
  builder.send(0, 1'000, 2'000, {.peer = 1, .tag = 1});
  builder.send(0, 3'000, 4'000, {.peer = 1, .tag = 2});
  builder.send(0, 5'000, 6'000, {.peer = 1, .tag = 3});
  builder.leave(0, "main", 7'000);
  builder.enter(1, "main", 0);
  builder.irecv(1, 100, 200, 1);
  builder.irecv(1, 300, 400, 1);
  builder.irecv(1, 500, 600, 2);
  builder.wait(1, "MPI_Wait", 700, 7'000, {{1, &second}});
  builder.recv(1, 8'000, 9'000, {.peer = 0, .tag = 3});
  builder.leave(1, "main", 10'000);
  check_identity(builder);
  const auto result = replay(builder.trace(), {});
  CHECK(result.notes ==
        std::vector<std::string>{
            "1 message is sent but never received, for example from rank 0 to rank 1 with tag 1",
            "1 receive is posted but never completes"});
}

TEST_CASE("missing messages are reported, and other ranks continue") {
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank) {
    builder.enter(rank, "main", 0);
    if (rank == 0) builder.collective(0, "MPI_Barrier", 100, 200, {});
    if (rank == 1) builder.recv(1, 100, 200, {.peer = 0, .tag = 9});
    builder.leave(rank, "main", 1'000);
  }
  builder.call(0, "MPI_Init", 2'000, 2'100, {});
  const auto result = replay(builder.trace(), {});
  CHECK(result.largest_deviation == 0);
  REQUIRE(result.notes.size() == 2);
  CHECK(result.notes[0] ==
        "MPI Rank 0 waits in vain in main/MPI_Barrier for all of MPI_COMM_WORLD; the replay "
        "continues "
        "without it");
  CHECK(result.notes[1] ==
        "1 message is received but never sent, for example from rank 0 to rank 1 with tag 9");
}

TEST_CASE("receives before their send are counted, and keep their times") {
  TraceBuilder builder(2);
  builder.enter(0, "main", 0);
  builder.send(0, 9'000, 9'500, {.peer = 1});
  builder.leave(0, "main", 10'000);
  builder.enter(1, "main", 0);
  builder.recv(1, 1'000, 2'000, {.peer = 0});
  builder.leave(1, "main", 10'000);
  check_identity(builder);
  const auto result = replay(builder.trace(), {});
  CHECK(result.violations.receives == 1);
  CHECK(result.violations.worst == 7'000);
}

TEST_CASE("waits are counted, and the most severe one is known") {
  TraceBuilder builder(3);
  builder.region(0, "foo", 0, 100'000);
  builder.send(0, 100'000, 101'000, {.peer = 1, .bytes = 1000});
  builder.send(0, 201'000, 202'000, {.peer = 2, .bytes = 1000});
  builder.send(0, 301'000, 302'000, {.peer = 1, .bytes = 1000});
  builder.region(1, "foo", 0, 10'000);
  builder.recv(1, 10'000, 105'000, {.peer = 0, .bytes = 1000});
  builder.recv(1, 205'000, 305'000, {.peer = 0, .bytes = 1000});
  builder.recv(2, 105'000, 205'000, {.peer = 0, .bytes = 1000});
  const auto result = replay(builder.trace(), {});
  const auto& late = result.before.instances(static_cast<std::size_t>(Metric::late_sender));
  CHECK(late.count() == 3);
  // 90 us, and twice 96 us: the earlier one counts.
  CHECK(late.worst().ticks == 96'000);
  CHECK(late.worst().begin == 105'000);
  CHECK(late.worst().rank == 2);
  CHECK(late == result.after.instances(static_cast<std::size_t>(Metric::late_sender)));
  CHECK(result.before.instances(static_cast<std::size_t>(Metric::late_receiver)).count() == 0);
  const auto faster = replay(builder.trace(), with({.scales = {{.region = "foo", .factor = 0.1}}}));
  CHECK(faster.after.instances(static_cast<std::size_t>(Metric::late_sender)).worst().rank == 1);
}

TEST_CASE("parts of a hypothesis that match nothing are reported") {
  const auto result =
      replay(late_sender().trace(), with({.scales = {{.region = "fo", .factor = 2}},
                                          .balances = {{.region = "f*", .within = "bar"}},
                                          .cuts = {{.message_bytes = 77}}}));
  CHECK(result.notes.empty());
  CHECK(result.unmatched ==
        std::vector<std::string>{
            "scale of fo matches nothing: the trace has no region 'fo'; did you mean 'foo'?",
            "balance of f* matches nothing: the trace has no enclosing region 'bar'",
            "cut of messages matches nothing"});
  CHECK(result.largest_deviation == 0);
}

TEST_CASE("several collectives in one call are replayed") {
  TraceBuilder builder(2);
  const TraceBuilder::Event end{.time = 5'000,
                                .request = 0,
                                .comm = 0,
                                .kind = EventKind::collective_end,
                                .op = CollectiveOp::barrier};
  auto later = end;
  later.time = 9'000;
  for (const int rank : {0, 1}) builder.call(rank, "MPI_Barrier", 1'000, 10'000, {end, later});
  check_identity(builder);
  CHECK(replay(builder.trace(), {.causes = true}).collectives == 4);
}

TEST_CASE("an instance without duration gets its share of a balance") {
  TraceBuilder builder(2);
  builder.region(0, "foo", 0, 0);
  builder.collective(0, "MPI_Barrier", 0, 100'000, {CollectiveOp::barrier});
  builder.region(1, "foo", 0, 100'000);
  builder.collective(1, "MPI_Barrier", 100'000, 100'000, {CollectiveOp::barrier});
  const auto result = replay(builder.trace(), with({.balances = {{.region = "foo"}}}));
  CHECK(result.end_after == 50'000);
  CHECK(total(result.after, Metric::blocked) == 0);
}

TEST_CASE("scale and balance do not change the duration of MPI calls") {
  const auto trace = late_sender().trace();
  const auto result = replay(trace, with({.scales = {{.region = "MPI_Send", .factor = 9}},
                                          .balances = {{.region = "MPI_*"}}}));
  CHECK(result.notes ==
        std::vector<std::string>{
            "scale of MPI_Send does not affect 1 MPI call: the model computes its time",
            "balance of MPI_* does not affect 2 MPI calls: the model computes their times"});
  CHECK(result.largest_deviation == 0);
  // Other matches of a pattern are balanced.
  CHECK(replay(trace, with({.balances = {{.region = "[fM]*"}}})).end_after ==
        replay(trace, with({.balances = {{.region = "foo"}}})).end_after);
}

TEST_CASE("nested instances are balanced separately, by the first balance") {
  // f calls f: 10 and 20 inside on rank 0, 30 and 40 inside on rank 1; MPI before, and inside.
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank) {
    const Ticks outer = 10'000 + 20'000 * rank, inner = outer + 10'000;
    builder.enter(rank, "main", 0);
    builder.region(rank, "MPI_Init", 0, 1'000);
    builder.enter(rank, "f", 1'000);
    builder.region(rank, "MPI_Comm_rank", 1'000, 2'000);
    builder.region(rank, "f", 2'000, 2'000 + inner);
    builder.leave(rank, "f", 2'000 + inner + outer);
    builder.leave(rank, "main", 2'000 + inner + outer);
  }
  const auto trace = builder.trace();
  Kept kept(2);
  const auto result = replay(
      trace, with({.balances = {{.region = "[fM]*"}, {"f", Balance::Mode::process_local}}}), &kept);
  for (const auto& times : kept.times) {
    CHECK(times[7] - times[6] == 30'000);  // the mean of 20 and 40
    CHECK(times[8] - times[7] == 20'000);  // ... of 10 and 30
  }
  CHECK(result.unmatched == std::vector<std::string>{"balance of f matches nothing"});
}

TEST_CASE("measurement overhead is removed from computation, but not below zero") {
  // Pieces: 100 and 1'000 and 50 in main, 1'000 and 30 and 2'000 in foo.
  TraceBuilder builder(1);
  builder.enter(0, "main", 0);
  builder.enter(0, "foo", 100);
  builder.region(0, "bar", 1'100, 1'100);
  builder.region(0, "bar", 1'130, 1'130);
  builder.leave(0, "foo", 3'130);
  builder.region(0, "MPI_Init", 4'130, 4'140);  // its time is not computation
  builder.leave(0, "main", 4'190);
  const auto trace = builder.trace();
  Kept kept(1);
  const auto result = replay(trace, with({.perturbation_s = 200e-9}), &kept);
  CHECK(kept.times[0] == std::vector<Ticks>{0, 0, 800, 800, 800, 800, 2'600, 3'400, 3'410, 3'410});
  CHECK(result.notes ==
        std::vector<std::string>{
            "780 ns of the computation of all ranks is removed as measurement overhead; 5 of "
            "8 pieces are shorter than the overhead and vanish; the times of MPI calls are not "
            "changed"});
  // Balances and scales apply to the remaining time.
  CHECK(replay(trace, with({.scales = {{.region = "foo", .factor = 10}}, .perturbation_s = 200e-9}))
            .end_after == 26'000 + 800 + 10);
  CHECK(
      replay(trace, with({.balances = {{.region = "foo"}}, .perturbation_s = 200e-9})).end_after ==
      3'410);
}

TEST_CASE("new times that overflow are reported with their cause") {
  const auto trace = late_sender().trace();
  const auto scaled = [](double factor, std::size_t times = 1) {
    return with({.scales = std::vector<Scale>(times, {.region = "foo", .factor = factor})});
  };
  const auto is_beyond = [&](const ReplayArgs& args) { return replay(trace, args).is_beyond; };
  CHECK_FALSE(is_beyond({}));
  CHECK_FALSE(is_beyond(scaled(1e9)));
  CHECK(is_beyond(scaled(1e9, 2)));
  CHECK(is_beyond(scaled(1e9, 64)));
  // A value clamped in between does not produce a wrong number.
  auto there_and_back = scaled(1e9, 3);
  there_and_back.cpu_factor = 1e-9;
  CHECK(is_beyond(there_and_back));
  LogGP slow{.L_s = century_s, .o_s = century_s, .G_s_per_B = 1e-3};
  slow.collective_s.fill(century_s);
  CHECK(is_beyond({.loggp = slow}));
  const auto error = [&](const ReplayArgs& args) { return *too_late(replay(trace, args), args); };
  CHECK(error(scaled(1e9, 2)).message ==
        "with factor 1e+09 for 'foo' the replay exceeds 2^61 ticks of the trace's clock");
  CHECK(error({.loggp = slow}).place == "--loggp");
  auto both = scaled(1e8, 2);
  both.cpu_factor = 1e9;
  CHECK(error(both).place == "--cpu-factor");
  CHECK_FALSE(too_late(replay(trace, {}), {}));
}

TEST_CASE("inner regions without a match are reported, and names are safe for a terminal") {
  const auto notes = [](const std::string& region, const std::string& inner) {
    return replay(late_sender().trace(), with({.scales = {{.region = region,
                                                           .factor = 2,
                                                           .part = Scale::Part::before,
                                                           .inner = inner}}}))
        .notes;
  };
  using Notes = std::vector<std::string>;
  CHECK(notes("main", "foo").empty());
  CHECK(notes("main", "MPI_Recv").empty());  // on one rank
  CHECK(
      notes("main", "nothing") ==
      Notes{"inner 'nothing' of scale of main is never called: all of its time counts as before"});
  CHECK(notes("foo", "main").size() == 1);  // it encloses foo
  CHECK(replay(late_sender().trace(), with({.cuts = {{.region = "a\x1b"}}})).unmatched ==
        Notes{"cut of a\\x1b matches nothing: the trace has no region 'a\\x1b'"});
}
