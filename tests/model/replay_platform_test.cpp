// SPDX-License-Identifier: BSD-3-Clause
// Replays on a simulated machine, against the model LogGP on programs of messages: on a machine
// whose messages have LogGP's costs, every event must have its LogGP time.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "algorithms/counts.hpp"
#include "algorithms/selection/decision.hpp"
#include "sim/replay/on_platform.hpp"
#include "sim/replay/replacement.hpp"
#include "tests/support/replayed.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"
#include "tests/support/trace_builder.hpp"
#include "workloads/selection_spec.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::KeptTimes;
using tests::SyntheticTrace;
using tests::trace_of;
using tests::TraceBuilder;
using workloads::traces::CollectiveOp;
using P = tests::SyntheticProgram;

namespace {

// L = 2 us, o = 1 us, G = 1 ns.
platforms::Machine loggp_machine(std::uint32_t hosts) {
  auto machine = tests::test_machine(static_cast<platforms::HostId>(hosts));
  machine.inter.send_overhead = machine.inter.isend_overhead = machine.inter.recv_overhead =
      platforms::Piecewise(1e-6);
  return machine;
}

ReplayResult on(const platforms::Machine& machine, const workloads::traces::Trace& trace,
                const ReplayArgs& args = {}, ReplaySink* sink = nullptr, int ppn = 1) {
  const auto placement =
      tests::test_placement(static_cast<int>(trace.definitions.ranks.size()), ppn);
  auto result = replay_on_platform(trace, args, {machine, placement}, sink);
  if (!result) FAIL(result.error().message);
  return *std::move(result);
}

Ticks total(const MetricTable& table, Metric metric) {
  return table.total()[static_cast<std::size_t>(metric)];
}

void check_equal(const SyntheticTrace& of, const Hypothesis& hypothesis) {
  const auto trace = trace_of(of);
  KeptTimes expected(of.ranks), simulated(of.ranks);
  const auto by_loggp =
      replay(trace, {.hypothesis = hypothesis, .loggp = tests::rule_of_programs()}, &expected);
  auto machine = loggp_machine(of.ranks);
  machine.inter.eager_max = 10'000;
  const auto result = on(machine, trace, {.hypothesis = hypothesis}, &simulated);
  CHECK(simulated.times == expected.times);
  for (const auto metric : {Metric::late_sender, Metric::late_receiver})
    CHECK(total(result.after, metric) == total(by_loggp.after, metric));
  CHECK(total(result.before, Metric::blocked) > 0);
  CHECK(result.notes == by_loggp.notes);
}

}  // namespace

TEST_CASE("programs of blocking messages take their LogGP time, to the tick") {
  check_equal({.program = P::lbp2p, .iterations = 20}, {});
  check_equal({.program = P::lbp2p, .ranks = 16, .iterations = 20},
              {.balances = {{.region = "foo"}}});
  check_equal({.program = P::lbp2p, .iterations = 20, .sizes_follow_load = true},
              {.balances = {{.region = "foo", .messages = true}}});
  check_equal({.program = P::lbp2p, .iterations = 20},
              {.scales = {{.region = "foo", .factor = 0.5}}});
  check_equal({.program = P::xns, .ranks = 16, .iterations = 3}, {});
  check_equal({.program = P::xns, .ranks = 16, .iterations = 3},
              {.cuts = {{.message_bytes = 0}}, .call_gap_s = 500e-9});
}

TEST_CASE("replaced calls take the time of those of the other program") {
  using Shift = SyntheticTrace::Shift;
  const auto machine = loggp_machine(4);
  const auto run = [&](Shift how, const std::vector<Replace>& replaces) {
    const SyntheticTrace of{.program = P::shift, .iterations = 20, .shift = how, .noise_seed = 9};
    auto trace = trace_of(of);
    if (!replaces.empty()) trace = replace_calls(trace, replaces).trace;
    KeptTimes kept(of.ranks);
    on(machine, trace, {.hypothesis = {.call_gap_s = 500e-9}}, &kept);
    return kept.times;
  };
  for (const auto by : {Replace::By::send_then_recv, Replace::By::recv_then_send})
    CHECK(run(Shift::together, {{.call = "MPI_Sendrecv", .by = by}}) ==
          run(by == Replace::By::send_then_recv ? Shift::send_recv : Shift::recv_send, {}));
  for (const char* call : {"MPI_Recv", "MPI_Send"})
    CHECK(run(Shift::send_recv,
              {{.call = call, .by = Replace::By::nonblocking, .wait_after = "bar"}}) ==
          run(call == std::string("MPI_Recv") ? Shift::early : Shift::late, {}));
}

// The programs' rule charges for MPI_Irecv, and for one of the messages that MPI_Waitall gets.
TEST_CASE("a program of nonblocking messages takes its LogGP time except for the overheads") {
  const SyntheticTrace of{.program = P::halo, .ranks = 16, .iterations = 20};
  const auto by_loggp = replay(trace_of(of), {.loggp = tests::rule_of_programs()});
  const auto result = on(loggp_machine(of.ranks), trace_of(of));
  CHECK(result.end_after + 20 * 1050 == by_loggp.end_after);
}

TEST_CASE("a long message waits for its receive, and its sender waits with it") {
  TraceBuilder builder(2);
  builder.send(0, 0, 1'000, {.peer = 1, .bytes = 100'000});
  builder.region(1, "foo", 0, 50'000);
  builder.recv(1, 50'000, 160'000, {.peer = 0, .bytes = 100'000});
  const auto result = on(loggp_machine(2), builder.trace());
  CHECK(total(result.before, Metric::late_receiver) == 0);
  CHECK(total(result.after, Metric::late_receiver) == 50'000);
  // The receiver's reply and the data cross the network, 2 us each; o at both ends.
  CHECK(result.end_after == 50'000 + 4'000 + 100'000 + 1'000);
  CHECK(total(result.after, Metric::wait_and_transfer) == (154'000 - 1'000) + (154'000 - 50'000));
}

TEST_CASE("a deadlock of sends is reported with ranks and calls") {
  const auto trace = [](std::uint64_t bytes) {
    TraceBuilder builder(2);
    for (const int rank : {0, 1}) {
      builder.enter(rank, "swap", 0);
      builder.send(rank, 0, 1'000, {.peer = 1 - rank, .bytes = bytes, .tag = 7});
      builder.recv(rank, 1'000, 5'000, {.peer = 1 - rank, .bytes = bytes, .tag = 7});
      builder.leave(rank, "swap", 5'000);
    }
    return builder.trace();
  };
  const auto machine = loggp_machine(2);
  const auto placement = tests::test_placement(2);
  CHECK(replay_on_platform(trace(1000), {}, {machine, placement}));
  const auto stuck = replay_on_platform(trace(1001), {}, {machine, placement});
  REQUIRE_FALSE(stuck);
  CHECK(stuck.error().message ==
        "deadlock: MPI Rank 0 waits in swap/MPI_Send for MPI Rank 1 to receive 1001 B with tag 7; "
        "MPI Rank 1 waits in swap/MPI_Send for MPI Rank 0 to receive 1001 B with tag 7");
}

TEST_CASE("MPI_Sendrecv sends and receives at the same time") {
  TraceBuilder builder(2);
  const TraceBuilder::Message large{.peer = 1, .bytes = 5000};
  for (const int rank : {0, 1}) {
    auto message = large;
    message.peer = 1 - rank;
    TraceBuilder::Event sent{.time = 0,
                             .bytes = message.bytes,
                             .request = 0,
                             .id = static_cast<std::uint32_t>(message.peer),
                             .comm = 0,
                             .kind = EventKind::send};
    auto got = sent;
    got.kind = EventKind::recv;
    got.time = 9'000;
    builder.call(rank, "MPI_Sendrecv", 0, 9'000, {sent, got});
  }
  const auto result = on(loggp_machine(2), builder.trace());
  CHECK(result.end_after == 1'000 + 2'000 + 4'000 + 5'000 + 1'000);
}

TEST_CASE("receives that complete in another order than posted get the messages of the trace") {
  TraceBuilder builder(2);
  builder.isend(0, 0, 1'000, {.peer = 1, .bytes = 900, .tag = 2}, 1);
  builder.region(0, "foo", 1'000, 20'000);
  builder.isend(0, 20'000, 21'000, {.peer = 1, .bytes = 100, .tag = 1}, 2);
  builder.wait(0, "MPI_Waitall", 21'000, 22'000, {{1}, {2}});
  builder.irecv(1, 0, 0, 10);
  builder.irecv(1, 0, 0, 11);
  const TraceBuilder::Message got_first{.peer = 0, .bytes = 100, .tag = 1};
  const TraceBuilder::Message got_second{.peer = 0, .bytes = 900, .tag = 2};
  builder.wait(1, "MPI_Wait", 0, 6'000, {{11, &got_second}});
  builder.wait(1, "MPI_Wait", 6'000, 26'000, {{10, &got_first}});
  KeptTimes kept(2);
  const auto result = on(loggp_machine(2), builder.trace(), {}, &kept);
  CHECK(kept.times[1][6 + 2] == 1'000 + 2'000 + 900 + 1'000);
  CHECK(result.end_after == 21'000 + 2'000 + 100 + 1'000);
}

TEST_CASE("removed receives leave the others their messages") {
  const auto builder = [](bool has_first) {
    TraceBuilder made(2);
    const TraceBuilder::Message first{.peer = 0, .bytes = 300, .tag = 1};
    const TraceBuilder::Message second{.peer = 0, .bytes = 900, .tag = 2};
    if (has_first) made.isend(0, 0, 1'000, {.peer = 1, .bytes = 300, .tag = 1}, 1);
    made.isend(0, 1'000, 2'000, {.peer = 1, .bytes = 900, .tag = 2}, 2);
    if (has_first) made.wait(0, "MPI_Wait", 2'000, 3'000, {{1}});
    made.wait(0, "MPI_Wait", 3'000, 4'000, {{2}});
    if (has_first) made.irecv(1, 0, 0, 10);
    made.irecv(1, 0, 0, 11);
    if (has_first) made.wait(1, "MPI_Wait", 0, 5'000, {{10, &first}});
    made.wait(1, "MPI_Wait", 5'000, 6'000, {{11, &second}});
    return made;
  };
  const auto cut =
      on(loggp_machine(2), builder(true).trace(), {.hypothesis = {.cuts = {{.message_tag = 1}}}});
  CHECK(cut.notes.empty());
  CHECK(total(cut.after, Metric::visits) == 4);
}

TEST_CASE("messages without a receive, and receives without a message, are omitted and reported") {
  TraceBuilder builder(2);
  builder.send(0, 0, 1'000, {.peer = 1, .bytes = 50'000});
  builder.isend(0, 1'000, 2'000, {.peer = 1, .bytes = 50'000, .tag = 3}, 1);
  builder.wait(0, "MPI_Wait", 2'000, 3'000, {{1}});
  builder.irecv(1, 0, 0, 4);
  builder.recv(1, 0, 1'000, {.peer = 0, .bytes = 8, .tag = 9});
  const auto result = on(loggp_machine(2), builder.trace());
  CHECK(result.end_after < 3'000);
  REQUIRE(result.notes.size() == 3);
  CHECK(result.notes[0] ==
        "2 messages are sent but never received, for example from rank 0 to rank 1 with tag 0");
  CHECK(result.notes[1] ==
        "1 message is received but never sent, for example from rank 0 to rank 1 with tag 9");
  CHECK(result.notes[2] == "1 receive is posted but never completes");
}

namespace {

// One call by all ranks, as Score-P writes it.
TraceBuilder one_call(int ranks, const std::string& name, CollectiveOp op,
                      const std::function<std::pair<std::uint64_t, std::uint64_t>(int)>& bytes,
                      std::uint32_t root = workloads::traces::none) {
  TraceBuilder builder(ranks);
  builder.creator("Score-P 7.1");
  for (int rank = 0; rank < ranks; ++rank) {
    const auto [sent, received] = bytes(rank);
    builder.collective(rank, name, 0, 10'000, {op, root, sent, received});
  }
  return builder;
}

Ticks direct(const platforms::Machine& machine, int ranks, std::string_view collective,
             const algorithms::CollectiveArgs& args) {
  const auto decided = algorithms::selection::decided(collective, ranks, args);
  const Seconds end_s =
      tests::end_of({machine, tests::test_placement(ranks), [&](runtime::Rank& me) {
                       return decided.algorithm->program(me, decided.args);
                     }});
  return std::llround(end_s * 1e9);
}

}  // namespace

TEST_CASE("collectives use the algorithms that the library chooses") {
  const auto machine = loggp_machine(12);
  const auto end = [&](const TraceBuilder& builder) {
    return on(machine, builder.trace()).end_after;
  };
  const std::uint64_t m = 4000, procs = 12;
  CHECK(end(one_call(12, "MPI_Allreduce", CollectiveOp::allreduce, [&](int) {
          return std::pair(m * procs, m * procs);
        })) == direct(machine, 12, "allreduce", {.message_bytes = 4000}));
  CHECK(end(one_call(12, "MPI_Barrier", CollectiveOp::barrier,
                     [](int) { return std::pair(0, 0); })) == direct(machine, 12, "barrier", {}));
  CHECK(end(one_call(
            12, "MPI_Bcast", CollectiveOp::bcast,
            [&](int rank) { return std::pair(rank == 5 ? m * procs : 0, m); }, 5)) ==
        direct(machine, 12, "bcast", {.message_bytes = 4000, .root = 5}));
  CHECK(end(one_call(12, "MPI_Alltoall", CollectiveOp::alltoall, [&](int) {
          return std::pair(m * procs, m * procs);
        })) == direct(machine, 12, "alltoall", {.message_bytes = 4000}));
  CHECK(end(one_call(12, "MPI_Reduce_scatter_block", CollectiveOp::reduce_scatter_block, [&](int) {
          return std::pair(m * procs, m * procs);
        })) == direct(machine, 12, "reduce_scatter", {.message_bytes = 48000}));
  std::vector<Bytes> blocks;
  for (int rank = 0; rank < 12; ++rank) blocks.push_back(100 * rank);
  const algorithms::Counts counts(blocks);
  CHECK(end(one_call(
            12, "MPI_Gatherv", CollectiveOp::gatherv,
            [&](int rank) { return std::pair(100 * rank, rank == 2 ? counts.total() : 0); }, 2)) ==
        direct(machine, 12, "gatherv",
               {.message_bytes = counts.total() / 12, .root = 2, .counts = &counts}));
}

TEST_CASE("all collectives count as modeled, also on ranks that wait for nobody") {
  for (const int root : {0, 5}) {
    const auto builder = one_call(
        12, "MPI_Bcast", CollectiveOp::bcast,
        [&](int rank) { return std::pair(rank == root ? 48'000 : 0, 4000); }, root);
    CHECK(on(loggp_machine(12), builder.trace()).verdict.regions.empty());
    CHECK(replay(builder.trace(), {}).verdict.regions.empty());
  }
}

TEST_CASE("communicators of some ranks have their own collectives") {
  const auto machine = loggp_machine(8);
  TraceBuilder builder(8);
  builder.creator("Score-P 7.1");
  const auto even = builder.communicator("even", {0, 2, 4, 6});
  const auto odd = builder.communicator("odd", {7, 5, 3, 1});  // the other way round
  for (int rank = 0; rank < 8; ++rank) {
    const bool is_root = rank == 7 || rank == 0;
    builder.collective(rank, "MPI_Bcast", 0, 10'000,
                       {CollectiveOp::bcast, rank % 2 == 0 ? 0U : 7U, is_root ? 4000U : 0U, 1000,
                        rank % 2 == 0 ? even : odd});
  }
  CHECK(on(machine, builder.trace()).end_after ==
        direct(machine, 4, "bcast", {.message_bytes = 1000}));
}

TEST_CASE("a collective that some ranks never call is omitted and reported") {
  TraceBuilder builder(3);
  for (int rank = 0; rank < 2; ++rank)
    builder.collective(rank, "MPI_Barrier", 0, 10'000, {CollectiveOp::barrier});
  const auto result = on(loggp_machine(3), builder.trace());
  CHECK(result.end_after == 10'000);
  REQUIRE(result.notes.size() == 1);
  CHECK(result.notes[0] ==
        "collectives that not all members call keep their recorded times: 1 of MPI_COMM_WORLD");
}

TEST_CASE("collectives that do not match are omitted and reported, in all models") {
  using Call = TraceBuilder::Collective;
  struct Case {
    Call other;
    std::string words;
  };
  for (const auto& [other, words] :
       {Case{{CollectiveOp::barrier}, "rank 1 calls MPI_Barrier where rank 0 calls MPI_Bcast"},
        Case{{CollectiveOp::bcast, 1, 16, 8},
             "rank 1 calls MPI_Bcast with root 1 where rank 0 calls MPI_Bcast with root 0"}}) {
    TraceBuilder builder(2);
    for (int rank = 0; rank < 2; ++rank) {
      builder.collective(rank, "MPI_Barrier", 0, 10'000, {CollectiveOp::barrier});
      builder.collective(rank, "MPI_Bcast", 20'000 + rank, 30'000,
                         rank == 0 ? Call{CollectiveOp::bcast, 0, 16, 8} : other);
    }
    const auto trace = builder.trace();
    const std::string note = words + ", as the 2nd collective of MPI_COMM_WORLD";
    const auto simulated = on(loggp_machine(2), trace);
    REQUIRE(simulated.notes.size() == 2);
    CAPTURE(simulated.notes[0]);
    CAPTURE(simulated.notes[1]);
    CHECK(std::ranges::count(simulated.notes, note) == 1);
    CHECK(
        std::ranges::count(simulated.notes,
                           "collectives that not all members call keep their recorded times: 1 of "
                           "MPI_COMM_WORLD (1 where members call different ones)") == 1);
    for (const auto& args : {ReplayArgs{}, ReplayArgs{.loggp = LogGP{}}})
      CHECK(replay(trace, args).notes == std::vector{note});
  }
}

TEST_CASE("algorithms may be named, where they run") {
  const auto machine = loggp_machine(4);
  const auto placement = tests::test_placement(4);
  const auto trace = one_call(
                         4, "MPI_Bcast", CollectiveOp::bcast,
                         [](int rank) { return std::pair(rank == 0 ? 400'000 : 0, 100'000); }, 0)
                         .trace();
  const auto selection = workloads::parse_selection("auto,bcast=chain", machine);
  REQUIRE(selection);
  const auto result =
      replay_on_platform(trace, {}, {machine, placement, {"", selection->selection}});
  REQUIRE(result);
  const auto chain = algorithms::find_algorithm("bcast", "chain")->program;
  const algorithms::CollectiveArgs args{.message_bytes = 100'000, .fanout = 4};
  CHECK(result->end_after == std::llround(1e9 * tests::end_of({machine, placement, [&](auto& me) {
                                                                 return chain(me, args);
                                                               }})));
}

TEST_CASE("an algorithm that does not run with the number of ranks is rejected") {
  const auto machine = loggp_machine(3);
  const auto placement = tests::test_placement(3);
  const auto trace = one_call(3, "MPI_Allgather", CollectiveOp::allgather, [](int) {
                       return std::pair(30, 30);
                     }).trace();
  const auto selection = workloads::parse_selection("auto,allgather=two_proc", machine);
  REQUIRE(selection);
  const auto result =
      replay_on_platform(trace, {}, {machine, placement, {"", selection->selection}});
  REQUIRE_FALSE(result);
  CHECK(result.error().message.starts_with("two_proc does not run allgather among 3 processes"));
}

// Long messages of several ranks share their node's links: both engines must agree.
TEST_CASE("both engines give the same replay of a trace") {
  const auto machine = loggp_machine(4);
  const auto placement = tests::test_placement(16, 4);
  const auto trace = trace_of({.program = P::halo, .ranks = 16, .iterations = 5, .noise_seed = 3});
  TraceBuilder builder(16);
  builder.creator("Score-P 7.1");
  for (int rank = 0; rank < 16; ++rank) {
    builder.region(rank, "foo", 0, 1'000 * rank);
    builder.collective(rank, "MPI_Alltoall", 1'000 * rank, 90'000,
                       {CollectiveOp::alltoall, workloads::traces::none, 16 * 30'000, 16 * 30'000});
    builder.collective(rank, "MPI_Allreduce", 90'000, 99'000,
                       {CollectiveOp::allreduce, workloads::traces::none, 16 * 8'000, 16 * 8'000});
  }
  const auto collectives = builder.trace();
  for (const auto* each : {&trace, &collectives}) {
    REQUIRE_FALSE(engines::load_simgrid());
    auto child = jobs::Forked::start([&]() -> Result<jobs::Answer> {
      const auto result =
          replay_on_platform(*each, {}, {machine, placement, {}, engines::EngineKind::simgrid});
      if (!result) return result.errors();
      jobs::Answer answer;
      answer.end_s = {static_cast<double>(result->end_after)};
      return answer;
    });
    REQUIRE(child);
    const auto reference = child->collect();
    REQUIRE(reference);
    const auto result = on(machine, *each, {}, nullptr, 4);
    CHECK(std::abs(reference->end_s.front() - static_cast<double>(result.end_after)) <= 1);
  }
}

TEST_CASE("several collectives in one call are all simulated") {
  TraceBuilder builder(2);
  const TraceBuilder::Event end{.time = 5'000,
                                .request = 0,
                                .comm = 0,
                                .kind = EventKind::collective_end,
                                .op = CollectiveOp::barrier};
  for (const int rank : {0, 1}) {
    builder.call(rank, "MPI_Barrier", 1'000, 10'000, {end, end});
    builder.collective(rank, "MPI_Barrier", 10'000, 11'000, {CollectiveOp::barrier});
  }
  const auto result = on(loggp_machine(2), builder.trace());
  CHECK(result.collectives == 6);
  CHECK(result.end_after == 1'000 + 3 * direct(loggp_machine(2), 2, "barrier", {}));
}
