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

// The error of a rank's clock at a time.
using ClockError = std::function<Ticks(TraceRank, Ticks)>;

Trace with_errors(const tests::SyntheticTrace& of, const ClockError& error) {
  Trace trace;
  trace.definitions = tests::definitions_of(of);
  const auto events = tests::events_of(of);
  for (TraceRank rank = 0; rank < events.size(); ++rank) {
    trace.events.begin(rank);
    for (Event event : events[rank]) {
      event.time += error(rank, event.time);
      trace.events.append(event);
    }
  }
  trace.events.finish();
  return trace;
}

Trace with_clocks(const tests::SyntheticTrace& of, const std::vector<Ticks>& offsets) {
  return with_errors(of, [&](TraceRank rank, Ticks) { return offsets[rank]; });
}

std::vector<Ticks> random_offsets(std::size_t ranks) {
  std::mt19937_64 random(7);
  std::vector<Ticks> offsets;
  for (std::size_t i = 0; i < ranks; ++i)
    offsets.push_back(static_cast<Ticks>(random() % 1'000'000'000));
  return offsets;
}

// At time 0.
std::vector<Ticks> shifts_of(const ClockAlignment& alignment) {
  std::vector<Ticks> shifts;
  for (const auto& clock : alignment.clocks) shifts.push_back(clock.shift_at(0));
  return shifts;
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
    trace.events.correct(found.clocks);
    CHECK(violations(trace) == 0);
    CHECK(mentions(found, "clocks are aligned"));
    CHECK_FALSE(mentions(found, "drift"));
    CHECK(mentions(found, "groups") == (program == P::lbp2p));  // groups of four
  }
}

TEST_CASE("the first event of all keeps its time") {
  Trace trace = with_clocks({.program = SyntheticProgram::lbcoll}, {1000, 0, 500, 200'000'000});
  trace.events.correct(align_clocks(trace).clocks);
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
  const auto shifts = shifts_of(align_clocks(builder.trace()));
  CHECK(shifts[1] - shifts[0] == 110);
}

TEST_CASE("messages in one direction move a clock only as far as necessary") {
  TraceBuilder builder(3);
  builder.send(0, 1000, 1001, {.peer = 1});
  builder.recv(1, 90, 110, {.peer = 0});
  builder.send(1, 200, 201, {.peer = 2});
  builder.recv(2, 190, 5000, {.peer = 1});
  const auto shifts = shifts_of(align_clocks(builder.trace()));
  CHECK(shifts[1] - shifts[0] == 890);
  CHECK(shifts[2] == shifts[0]);
}

namespace {

// The largest distance of an event from its true time, where rank 0 has the true clock.
Ticks largest_error(const Trace& aligned, const tests::SyntheticTrace& of) {
  const auto truth = tests::events_of(of);
  Ticks largest = 0;
  for (TraceRank rank = 0; rank < truth.size(); ++rank) {
    std::vector<Event> found(truth[rank].size());
    REQUIRE(aligned.events.cursor(rank)->read(found) == found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      largest = std::max(largest, std::abs(found[i].time - truth[rank][i].time));
  }
  return largest;
}

}  // namespace

TEST_CASE("drifting clocks come back to their true times, within the bounds of the messages") {
  constexpr Ticks ms = 1'000'000;
  // Rank r gains 1000 r ppm; or 1000 r ppm in the first 50 ms, and loses half of that afterwards.
  const ClockError steadily = [](TraceRank rank, Ticks time) { return time / 1000 * rank; };
  const ClockError bent = [&](TraceRank rank, Ticks time) {
    return (time < 50 * ms ? time : 50 * ms - (time - 50 * ms) / 2) / 1000 * rank;
  };
  for (const auto program : {SyntheticProgram::lbcoll, SyntheticProgram::halo})
    for (const auto* error : {&steadily, &bent}) {
      CAPTURE(static_cast<int>(program));
      CAPTURE(error == &bent);
      const tests::SyntheticTrace of{.program = program, .ranks = 4, .is_balanced = true};
      Trace trace = with_errors(of, *error);
      CHECK(largest_error(trace, of) > 100'000);
      const auto found = align_clocks(trace);
      CHECK(mentions(found, "clocks drift: the shifts change linearly"));
      trace.events.correct(found.clocks);
      CHECK(violations(trace) == 0);
      CHECK_FALSE(mentions(found, "later than their effects"));
      // An allreduce, or a message and its answer; and 5 us where the drift changes between them.
      CHECK(largest_error(trace, of) <= (error == &bent ? 25'000 : 20'000));
    }
}

TEST_CASE("a time on the common clock has its time on the location's clock") {
  const workloads::traces::ClockCorrection clock{{{1000, 50}, {2000, 150}, {4000, 50}}};
  CHECK(clock.shift_at(0) == -50);
  CHECK(clock.shift_at(1500) == 100);
  CHECK(clock.shift_at(3000) == 100);
  CHECK(clock.shift_at(5000) == 0);
  for (const Ticks time : {0, 700, 1500, 2000, 3333, 9000})
    CHECK(std::abs(clock.before(time + clock.shift_at(time)) - time) <= 1);
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
  CHECK(shifts_of(good) == std::vector<Ticks>{0, 0, 0, 0});
  CHECK(mentions(good, "clocks are not shifted"));
  TraceBuilder builder(2);
  builder.region(0, "main", 0, 10);
  builder.region(1, "main", 5, 20);
  CHECK(shifts_of(align_clocks(builder.trace())) == std::vector<Ticks>{0, 0});
  CHECK(align_clocks(TraceBuilder(0).trace()).clocks.empty());
}
