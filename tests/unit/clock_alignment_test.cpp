// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/clock_alignment.hpp"

#include <doctest/doctest.h>

#include <random>

#include "sim/replay/replay.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/trace_builder.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::SyntheticProgram;
using tests::TraceBuilder;
using workloads::traces::CollectiveOp;
using workloads::traces::EventStore;
using workloads::traces::Trace;

namespace {

// A synthetic trace whose ranks' clocks have the errors `offsets`, and gain `drift` ticks per
// million each.
Trace with_clocks(const tests::SyntheticTrace& of, const std::vector<Ticks>& offsets,
                  Ticks drift = 0) {
  Trace trace;
  trace.definitions = tests::definitions_of(of);
  const auto events = tests::events_of(of);
  for (TraceRank rank = 0; rank < events.size(); ++rank) {
    trace.events.begin(rank);
    for (Event event : events[rank]) {
      event.time += offsets[rank] + event.time / 1'000'000 * drift * rank;
      trace.events.append(event);
    }
  }
  trace.events.finish();
  return trace;
}

std::vector<Ticks> random_offsets(std::size_t ranks) {
  std::mt19937_64 random(7);
  std::vector<Ticks> offsets;
  for (std::size_t i = 0; i < ranks; ++i)
    offsets.push_back(static_cast<Ticks>(random() % 1'000'000'000));
  return offsets;
}

std::uint64_t violations(const Trace& trace) {
  const auto found = replay(trace, {}).violations;
  return found.receives + found.collectives;
}

// Whether a note contains the text.
bool mentions(const ClockAlignment& alignment, const std::string& text) {
  for (const auto& note : alignment.notes)
    if (note.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("clocks with any offsets are aligned, for any communication pattern") {
  using P = SyntheticProgram;
  for (const P program : {P::lbcoll, P::lbp2p, P::halo, P::xns, P::rooted, P::sweep}) {
    CAPTURE(static_cast<int>(program));
    Trace trace = with_clocks({.program = program, .ranks = 16, .iterations = 10, .noise_seed = 3},
                              random_offsets(16));
    CHECK(violations(trace) > 0);
    auto found = align_clocks(trace);
    trace.events.shift(found.shifts);
    CHECK(violations(trace) == 0);
    CHECK(mentions(found, "clocks are aligned"));
    CHECK_FALSE(mentions(found, "drift"));
    CHECK(mentions(found, "groups") == (program == P::lbp2p));  // groups of four
  }
}

TEST_CASE("the first event of all keeps its time") {
  Trace trace = with_clocks({.program = SyntheticProgram::lbcoll}, {1000, 0, 500, 200'000'000});
  trace.events.shift(align_clocks(trace).shifts);
  Ticks first = INT64_MAX;
  for (TraceRank rank = 0; rank < 4; ++rank) {
    Event event;
    REQUIRE(trace.events.cursor(rank)->read({&event, 1}) == 1);
    first = std::min(first, event.time);
  }
  CHECK(first == 0);
}

TEST_CASE("messages in both directions put a clock in the middle of the allowed interval") {
  TraceBuilder builder(2);
  // -90 forth and 130 back by the clocks: as if both took 20.
  builder.send(0, 100, 101, {.peer = 1});
  builder.recv(1, 0, 10, {.peer = 0});
  builder.send(1, 100, 101, {.peer = 0});
  builder.recv(0, 190, 230, {.peer = 1});
  const auto shifts = align_clocks(builder.trace()).shifts;
  CHECK(shifts[1] - shifts[0] == 110);
}

TEST_CASE("messages in one direction move a clock only as far as necessary") {
  TraceBuilder builder(3);
  builder.send(0, 1000, 1001, {.peer = 1});
  builder.recv(1, 90, 110, {.peer = 0});
  builder.send(1, 200, 201, {.peer = 2});
  builder.recv(2, 190, 5000, {.peer = 1});
  const auto shifts = align_clocks(builder.trace()).shifts;
  CHECK(shifts[1] - shifts[0] == 890);
  CHECK(shifts[2] == shifts[0]);
}

TEST_CASE("drifting clocks are reported, and keep about half of their drift") {
  Trace trace =
      with_clocks({.program = SyntheticProgram::lbcoll, .is_balanced = true}, {0, 0, 0, 0}, 1000);
  const auto found = align_clocks(trace);
  CHECK(mentions(found, "clocks drift"));
  trace.events.shift(found.shifts);
  const auto after = replay(trace, {}).violations;
  CHECK(after.collectives > 0);
  // In 147 ms rank 3 gains 441 us on rank 0; an allreduce takes 20 us.
  CHECK(after.worst <= 441'000 / 2);
  CHECK(after.worst >= 441'000 / 2 - 40'000);
}

TEST_CASE("contradicting limits get the smallest sufficient tolerance") {
  ClockLimits limits;
  limits.add(0, 100, 1, 110);  // shift 0 - shift 1 <= 10
  limits.add(1, 100, 0, 50);   // shift 1 - shift 0 <= -50
  limits.add(1, 0, 2, 0);
  const auto found = clock_shifts(4, limits);
  CHECK(found.tolerance == 20);
  CHECK(found.groups == 2);
  CHECK(found.shifts[0] - found.shifts[1] == 30);
  CHECK(found.shifts[2] >= found.shifts[1] - 20);
  CHECK(found.shifts[3] == 0);
}

TEST_CASE("clocks without violations are not changed") {
  const auto good = align_clocks(with_clocks({.program = SyntheticProgram::halo}, {0, 0, 0, 0}));
  CHECK(good.shifts == std::vector<Ticks>{0, 0, 0, 0});
  CHECK(mentions(good, "clocks are not shifted"));
  TraceBuilder builder(2);
  builder.region(0, "main", 0, 10);
  builder.region(1, "main", 5, 20);
  CHECK(align_clocks(builder.trace()).shifts == std::vector<Ticks>{0, 0});
  CHECK(align_clocks(TraceBuilder(0).trace()).shifts.empty());
}
