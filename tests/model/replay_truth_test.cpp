// SPDX-License-Identifier: BSD-3-Clause
// Replays against programs with exactly known times, changed or not: T1 to T6 of the trace facts.
// With LogGP's parameters set to the programs' rule every event must have its time in the changed
// program.
#include <doctest/doctest.h>

#include "sim/replay/replay.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/replayed.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::close_to;
using tests::KeptTimes;
using tests::SyntheticTrace;
using tests::trace_of;
using P = tests::SyntheticProgram;

namespace {

// Every remaining event has its time in the program `truth`.
void check_events(const KeptTimes& kept, const SyntheticTrace& truth) {
  const auto events = tests::events_of(truth);
  for (std::size_t rank = 0; rank < events.size(); ++rank) {
    REQUIRE(kept.times[rank].size() == events[rank].size());
    for (std::size_t i = 0; i < events[rank].size(); ++i)
      REQUIRE(kept.times[rank][i] == events[rank][i].time - 1000);
  }
}

ReplayResult check(const SyntheticTrace& of, const Hypothesis& hypothesis,
                   const SyntheticTrace& truth) {
  KeptTimes kept(of.ranks);
  auto result =
      replay(trace_of(of), {.hypothesis = hypothesis, .loggp = tests::rule_of_programs()}, &kept);
  check_events(kept, truth);
  return result;
}

Ticks total(const MetricTable& table, Metric metric) {
  return table.total()[static_cast<std::size_t>(metric)];
}

const std::vector<SyntheticTrace> all_programs{
    {.program = P::lbcoll},
    {.program = P::lbcoll, .ranks = 64, .iterations = 10},
    {.program = P::lbp2p},
    {.program = P::lbp2p, .ranks = 16},
    {.program = P::halo, .ranks = 16},
    {.program = P::xns, .ranks = 16, .iterations = 3},
    {.program = P::rooted, .ranks = 16},
    {.program = P::sweep, .ranks = 12, .iterations = 3},
    {.program = P::lbcoll, .ranks = 8, .noise_seed = 3},
    {.program = P::halo, .ranks = 8, .noise_seed = 4},
    {.program = P::sweep, .ranks = 6, .iterations = 5, .noise_seed = 5}};

}  // namespace

TEST_CASE("unchanged programs keep every time, in both models") {
  for (const auto& of : all_programs) {
    CAPTURE(static_cast<int>(of.program));
    check(of, {}, of);
    KeptTimes kept(of.ranks);
    const auto recorded = replay(trace_of(of), {}, &kept);
    check_events(kept, of);
    CHECK(recorded.largest_deviation == 0);
    CHECK(recorded.violations.receives + recorded.violations.collectives == 0);
    CHECK(recorded.notes.empty());
  }
}

TEST_CASE("wait states have their known values, to the tick") {
  const auto waits = [](const SyntheticTrace& of, Metric metric) {
    const auto result = replay(trace_of(of), {});
    CHECK(total(result.before, metric) == total(result.after, metric));
    return total(result.before, metric);
  };
  CHECK(waits({.program = P::lbcoll}, Metric::wait_at_nxn) == 60'000'000);
  CHECK(waits({.program = P::lbcoll, .ranks = 16}, Metric::wait_at_nxn) == 1'200'000'000);
  CHECK(waits({.program = P::lbp2p}, Metric::late_sender) == 199'404'416);
  CHECK(waits({.program = P::lbp2p, .ranks = 16}, Metric::late_sender) == 797'617'664);
  CHECK(waits({.program = P::halo, .ranks = 16}, Metric::late_sender) == 1'165'071'060);
  CHECK(waits({.program = P::xns, .ranks = 16, .iterations = 3}, Metric::late_sender) ==
        36'150'664);
  CHECK(waits({.program = P::rooted}, Metric::late_broadcast) == 25'000'000);
  CHECK(waits({.program = P::rooted, .ranks = 16}, Metric::late_broadcast) == 409'000'000);
  CHECK(waits({.program = P::rooted, .ranks = 16}, Metric::early_reduce) == 833'000);
  CHECK(waits({.program = P::rooted, .ranks = 16}, Metric::wait_at_barrier) == 743'867'000);
}

TEST_CASE("balancing gives the times of the balanced programs") {
  const Hypothesis balance{.balances = {{.region = "foo"}}};
  for (auto of :
       {SyntheticTrace{.program = P::lbcoll}, SyntheticTrace{.program = P::lbcoll, .ranks = 16},
        SyntheticTrace{.program = P::lbp2p}, SyntheticTrace{.program = P::lbp2p, .ranks = 16},
        SyntheticTrace{.program = P::halo, .ranks = 16}}) {
    auto truth = of;
    truth.is_balanced = true;
    const auto exact = check(of, balance, truth);
    const bool has_messages = of.program != P::lbcoll;
    CHECK(total(exact.after, has_messages ? Metric::late_sender : Metric::wait_at_nxn) ==
          total(replay(trace_of(truth), {}).before,
                has_messages ? Metric::late_sender : Metric::wait_at_nxn));
    const auto recorded = replay(trace_of(of), {.hypothesis = balance});
    CHECK(static_cast<double>(recorded.end_after) ==
          close_to(static_cast<double>(exact.end_after), 0.002));
  }
}

TEST_CASE("message sizes follow the balanced load") {
  for (const std::uint32_t ranks : {4u, 16u}) {
    const SyntheticTrace of{.program = P::lbp2p, .ranks = ranks, .sizes_follow_load = true};
    auto truth = of;
    truth.is_balanced = true;
    const Hypothesis balance{.balances = {{.region = "foo", .messages = true}}};
    const auto exact = check(of, balance, truth);
    CHECK(exact.resized.messages == 100 * ranks);
    CHECK(exact.resized.bytes_before == 1750 * exact.resized.messages);
    CHECK(exact.resized.bytes_after == 1500 * exact.resized.messages);
    const auto recorded = replay(trace_of(of), {.hypothesis = balance});
    CHECK(static_cast<double>(recorded.end_after) ==
          close_to(static_cast<double>(exact.end_after), 0.002));
    CHECK(recorded.notes.size() == 2);
  }
}

TEST_CASE("removing empty messages gives the program that sends none") {
  const SyntheticTrace of{.program = P::xns, .ranks = 16, .iterations = 3};
  auto truth = of;
  truth.cut_empty = true;
  const Hypothesis cut{.cuts = {{.message_bytes = 0}}};
  const auto exact = check(of, cut, truth);
  CHECK(exact.messages == 720);
  CHECK(total(exact.after, Metric::late_sender) == 29'444'924);
  // The gap between calls is learned from the trace.
  const auto recorded = replay(trace_of(of), {.hypothesis = cut});
  CHECK(recorded.end_after == exact.end_after);
}

// In the balanced program all ranks are in step: messages are on their way when receives begin.
TEST_CASE("a receive lasts as long as its message is on its way") {
  for (const std::uint64_t bytes : {8u, 1024u, 65536u})
    for (const std::uint32_t ranks : {4u, 8u, 16u}) {
      const SyntheticTrace of{
          .program = P::xns, .ranks = ranks, .iterations = 3, .xns_bytes = bytes};
      auto truth = of;
      truth.is_balanced = true;
      KeptTimes kept(ranks);
      const auto recorded =
          replay(trace_of(of), {.hypothesis = {.balances = {{.region = "foo"}}}}, &kept);
      check_events(kept, truth);
      CHECK(total(recorded.before, Metric::late_sender) > 0);
      CHECK(total(recorded.after, Metric::late_sender) == 0);
    }
}
