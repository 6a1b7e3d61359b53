// SPDX-License-Identifier: BSD-3-Clause
// The critical path and the costs of delays, on programs where both are known.
#include "sim/replay/causes.hpp"

#include <doctest/doctest.h>

#include "tests/support/replayed.hpp"
#include "tests/support/trace_builder.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::SyntheticTrace;
using tests::trace_of;
using tests::TraceBuilder;
using workloads::traces::CollectiveOp;
using P = tests::SyntheticProgram;

namespace {

Ticks of(const MetricTable& table, TraceRank rank, PathId path, Metric metric) {
  return table.of(rank, path)[static_cast<std::size_t>(metric)];
}
Ticks total(const MetricTable& table, Metric metric) {
  return table.total()[static_cast<std::size_t>(metric)];
}

struct Found {
  explicit Found(const workloads::traces::Trace& of_trace)
      : trace(of_trace), result(replay(of_trace, {.causes = true})) {}
  Ticks at(TraceRank rank, const std::string& path, Metric metric) const {
    for (PathId i = 0; i < result.paths.size(); ++i)
      if (result.paths.name(i, trace.definitions.regions) == path)
        return of(result.before, rank, i, metric);
    return -1;
  }
  const workloads::traces::Trace& trace;
  ReplayResult result;
};

// 0 computes long and sends to 1; 1 waits, computes long and sends to 2, which waits for both at
// the end.
TraceBuilder chain() {
  TraceBuilder builder(3);
  builder.region(0, "foo", 0, 100'000);
  builder.send(0, 100'000, 101'000, {.peer = 1});
  builder.region(1, "foo", 0, 10'000);
  builder.recv(1, 10'000, 105'000, {.peer = 0});
  builder.region(1, "bar", 105'000, 155'000);
  builder.send(1, 155'000, 156'000, {.peer = 2});
  builder.region(2, "foo", 0, 10'000);
  builder.recv(2, 10'000, 160'000, {.peer = 1});
  return builder;
}

}  // namespace

TEST_CASE("the critical path runs through the ranks for which others wait") {
  const auto trace = chain().trace();
  const Found found(trace);
  CHECK(found.at(0, "foo", Metric::critical_path) == 100'000);
  CHECK(found.at(1, "MPI_Recv", Metric::critical_path) == 5'000);
  CHECK(found.at(1, "bar", Metric::critical_path) == 50'000);
  CHECK(found.at(2, "MPI_Recv", Metric::critical_path) == 5'000);
  CHECK(found.at(1, "foo", Metric::critical_path) == 0);
  CHECK(total(found.result.before, Metric::critical_path) == found.result.end_before);
}

TEST_CASE("waits are charged to longer work of the awaited rank, and to the ranks it waited for") {
  const auto trace = chain().trace();
  const Found found(trace);
  // 1 waits 90 us for 0, whose foo takes 90 us longer. 2 waits 145 us for 1, which worked 55 us
  // longer itself (bar, and the rest of its receive) and waited 90 us.
  CHECK(found.at(0, "foo", Metric::delay_direct) == 90'000);
  CHECK(found.at(1, "bar", Metric::delay_direct) == 50'000);
  CHECK(found.at(1, "MPI_Recv", Metric::delay_direct) == 5'000);
  CHECK(found.at(0, "foo", Metric::delay_indirect) == 90'000);
  CHECK(found.at(2, "foo", Metric::delay_direct) == 0);
}

TEST_CASE("at a barrier the last rank causes the waits") {
  TraceBuilder builder(3);
  for (int round = 0; round < 2; ++round) {
    const Ticks begin = round * 100'000;
    for (int rank = 0; rank < 3; ++rank) {
      // A different rank is late in each round.
      const Ticks duration = rank == round ? 60'000 : 20'000;
      builder.region(rank, round == 0 ? "foo" : "bar", begin, begin + duration);
      builder.collective(rank, "MPI_Barrier", begin + duration, begin + 100'000,
                         {CollectiveOp::barrier});
    }
  }
  const auto trace = builder.trace();
  const Found found(trace);
  CHECK(found.at(0, "foo", Metric::delay_direct) == 80'000);
  CHECK(found.at(1, "bar", Metric::delay_direct) == 80'000);
  CHECK(total(found.result.before, Metric::delay_indirect) == 0);
  CHECK(found.at(0, "foo", Metric::critical_path) == 60'000);
  CHECK(found.at(1, "bar", Metric::critical_path) == 60'000);
  CHECK(total(found.result.before, Metric::critical_path) == 200'000);
}

TEST_CASE("in programs the critical path sums to the whole time, and all waits are charged") {
  for (const auto& each : {SyntheticTrace{.program = P::lbcoll, .ranks = 8},
                           {.program = P::lbp2p, .ranks = 16},
                           {.program = P::halo, .ranks = 16, .noise_seed = 3},
                           {.program = P::xns, .ranks = 16},
                           {.program = P::rooted, .ranks = 8},
                           {.program = P::sweep, .ranks = 12, .noise_seed = 5}}) {
    CAPTURE(static_cast<int>(each.program));
    const auto trace = trace_of(each);
    const Hypothesis half{.scales = {{.region = "foo", .factor = 0.5}}};
    const auto result = replay(trace, {.hypothesis = half, .causes = true});
    CHECK(total(result.before, Metric::critical_path) == result.end_before);
    CHECK(total(result.after, Metric::critical_path) == result.end_after);
    const auto charged =
        total(result.before, Metric::delay_direct) + total(result.before, Metric::delay_indirect);
    MESSAGE(charged << " of " << total(result.before, Metric::blocked));
    CHECK(charged <= total(result.before, Metric::blocked) + 1000);
    CHECK(charged >= total(result.before, Metric::blocked) / 20 * 19);
  }
}

TEST_CASE("computing causes does not change the replay") {
  const auto trace = trace_of({.program = P::halo, .ranks = 8, .noise_seed = 4});
  const Hypothesis cut{.cuts = {{.message_tag = 1}}};
  const auto with = replay(trace, {.hypothesis = cut, .causes = true});
  const auto without = replay(trace, {.hypothesis = cut});
  CHECK(with.end_after == without.end_after);
  CHECK(total(with.after, Metric::blocked) == total(without.after, Metric::blocked));
  CHECK(total(without.before, Metric::critical_path) == 0);
}

TEST_CASE("waits are charged although logs are cut") {
  MetricTable metrics(2);
  Delays delays(2, 16);
  Delays::Position at = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto from = std::exchange(at, delays.turn(0));
    delays.pass(0, 1, 30);
    delays.pass(1, 1, 10);
    delays.wait(20, 2, WaitKind::late_sender, {.rank = 0, .from = from, .to = at = delays.turn(0)},
                {.rank = 1, .from = delays.turn(1) - 1, .to = delays.turn(1)});
  }
  delays.finish(metrics);
  CHECK(of(metrics, 0, 1, Metric::delay_direct) == 20'000);
  CHECK(total(metrics, Metric::delay_indirect) == 0);
}
