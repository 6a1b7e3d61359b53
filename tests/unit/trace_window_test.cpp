// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/trace_window.hpp"

#include <doctest/doctest.h>

#include "sim/replay/replay.hpp"
#include "sim/replay/suggest.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/trace_builder.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::TraceBuilder;
using workloads::traces::Trace;

namespace {

// "enter main 0", ... of a rank.
std::vector<std::string> reported(const Trace& trace, TraceRank rank) {
  std::vector<Event> events(1000);
  events.resize(trace.events.cursor(rank)->read(events));
  std::vector<std::string> lines;
  for (const Event& each : events) {
    std::string name = "event";
    if (each.kind == EventKind::enter) name = "enter";
    if (each.kind == EventKind::leave) name = "leave";
    if (each.kind == EventKind::send) name = "send";
    if (each.kind == EventKind::recv) name = "recv";
    if (name == "enter" || name == "leave") name += ' ' + trace.definitions.regions[each.id].name;
    lines.push_back(name + ' ' + std::to_string(each.time));
  }
  return lines;
}

using Lines = std::vector<std::string>;

void check_reported(const Trace& trace, TraceRank rank, const Lines& expected) {
  CAPTURE(rank);
  CHECK(reported(trace, rank) == expected);
}

// Checks that a replay of the window gives no notes, and that every event keeps its time.
void check_whole(const Trace& trace) {
  const auto result = replay(trace, {});
  CHECK(result.largest_deviation == 0);
  CHECK(result.cut_events == 0);
  CHECK(result.notes == Lines{});
  CHECK(result.events == trace.events.count());
}

}  // namespace

TEST_CASE("regions that are open at the edges are entered and left there") {
  TraceBuilder builder(1);
  builder.enter(0, "main", 0);
  builder.region(0, "before", 10, 90);
  builder.enter(0, "outer", 95);
  builder.region(0, "inside", 110, 150);
  builder.leave(0, "outer", 210);
  builder.region(0, "after", 220, 230);
  builder.leave(0, "main", 300);
  const auto cut = cut_window(builder.trace(), {100, 200});
  CHECK(cut.trace.first == 100);
  check_reported(cut.trace, 0,
                 {"enter main 0", "enter outer 0", "enter inside 10", "leave inside 50",
                  "leave outer 100", "leave main 100"});
  check_reported(cut_window(builder.trace(), {}).trace, 0, reported(builder.trace(), 0));
  check_reported(cut_window(builder.trace(), {230, 300}).trace, 0,
                 {"enter main 0", "enter after 0", "leave after 0", "leave main 70"});
  check_reported(cut_window(builder.trace(), {240, 250}).trace, 0,
                 {"enter main 0", "leave main 10"});
}

TEST_CASE("messages and collectives that are only partly inside are omitted") {
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank) builder.enter(rank, "main", 0);
  builder.send(0, 90, 95, {.peer = 1});
  builder.recv(1, 98, 110, {.peer = 0});  // across the begin
  builder.send(0, 120, 125, {.peer = 1});
  builder.recv(1, 120, 130, {.peer = 0});
  builder.collective(0, "MPI_Barrier", 150, 160, {});
  builder.collective(1, "MPI_Barrier", 155, 160, {});
  builder.send(0, 170, 175, {.peer = 1});
  builder.collective(1, "MPI_Barrier", 180, 200, {});  // inside, but not on rank 0
  builder.collective(0, "MPI_Barrier", 190, 205, {});
  builder.recv(1, 210, 220, {.peer = 0});
  for (int rank = 0; rank < 2; ++rank) builder.leave(rank, "main", 300);
  const auto cut = cut_window(builder.trace(), {100, 200});
  check_reported(
      cut.trace, 0,
      {"enter main 0", "enter MPI_Send 20", "send 20", "leave MPI_Send 25", "enter MPI_Barrier 50",
       "event 50", "event 60", "leave MPI_Barrier 60", "enter MPI_Send 70", "leave MPI_Send 75",
       "enter MPI_Barrier 90", "leave MPI_Barrier 100", "leave main 100"});
  check_reported(
      cut.trace, 1,
      {"enter main 0", "enter MPI_Recv 0", "leave MPI_Recv 10", "enter MPI_Recv 20", "recv 30",
       "leave MPI_Recv 30", "enter MPI_Barrier 55", "event 55", "event 60", "leave MPI_Barrier 60",
       "enter MPI_Barrier 80", "leave MPI_Barrier 100", "leave main 100"});
  CHECK(cut.trace.notes == Lines{"the window is from 100 ns to 200 ns; 2 calls at its edges "
                                 "keep only the time inside; 1 message and 1 collective are only "
                                 "partly inside and omitted"});
  check_whole(cut.trace);
}

TEST_CASE("requests that cross an edge are omitted with their posts and completions") {
  const TraceBuilder::Message to_1{.peer = 1}, to_0{.peer = 0}, from_0{.peer = 0},
      from_1{.peer = 1};
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank) builder.enter(rank, "main", 0);
  builder.isend(0, 90, 95, to_1, 1);  // begins before
  builder.irecv(1, 90, 95, 1);        // posted before, complete inside
  builder.isend(0, 110, 112, to_1, 2);
  builder.irecv(1, 110, 112, 2);  // all inside
  builder.wait(0, "MPI_Waitall", 120, 130, {{1}, {2}});
  builder.wait(1, "MPI_Waitall", 120, 130, {{1, &from_0}, {2, &from_0}});
  builder.irecv(0, 140, 142, 3);  // posted inside, complete after
  builder.isend(1, 140, 142, to_0, 3);
  builder.wait(1, "MPI_Wait", 150, 160, {{3}});
  builder.wait(0, "MPI_Wait", 190, 210, {{3, &from_1}});
  for (int rank = 0; rank < 2; ++rank) builder.leave(rank, "main", 300);
  const auto cut = cut_window(builder.trace(), {100, 200});
  check_whole(cut.trace);
  CHECK(replay(cut.trace, {}).messages == 1);
  CHECK(cut.trace.notes.front().find("; 2 messages") != std::string::npos);
  // Without the events of three requests, one of them complete.
  CHECK(reported(cut.trace, 0).size() == 2 + 3 + 3 + 2 + 2);
  CHECK(reported(cut.trace, 1).size() == 2 + 3 + 3 + 2 + 2);
}

TEST_CASE("any window of any program is a sound trace with the duration of the window") {
  using P = tests::SyntheticProgram;
  for (const P program : {P::lbcoll, P::lbp2p, P::halo, P::xns, P::rooted, P::sweep}) {
    CAPTURE(static_cast<int>(program));
    const Trace whole =
        tests::trace_in_memory({.program = program, .ranks = 8, .iterations = 6, .noise_seed = 5});
    const Ticks end = end_of(whole);
    for (Ticks from = 1000; from < end; from += end / 7)  // the first event
      for (const Ticks length : {Ticks{1}, end / 50, end / 3, end}) {
        const TimeWindow window{from, std::min(from + length, end)};
        const auto cut = cut_window(whole, window);
        check_whole(cut.trace);
        CHECK(replay(cut.trace, {}).violations.receives == 0);
        CHECK(replay(cut.trace, {}).end_after == window.to - window.from);
      }
    CHECK(cut_window(whole, {}).trace.events.count() == whole.events.count());
  }
}

TEST_CASE("instances in a window are numbered from the start of the trace") {
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank) builder.enter(rank, "main", 0);
  builder.region(0, "foo", 10, 40);
  builder.region(1, "foo", 10, 60);
  builder.region(0, "foo", 60, 110);
  builder.region(1, "foo", 70, 90);
  builder.region(0, "foo", 120, 130);
  builder.region(1, "foo", 100, 150);
  for (int rank = 0; rank < 2; ++rank) builder.leave(rank, "main", 300);
  const Hypothesis hypothesis{.balances = {{.region = "foo", .within = "main"}}};
  const auto targets = [&](const TimeWindow& window) {
    const auto cut = cut_window(builder.trace(), window);
    return balance_targets(scan(cut.trace, hypothesis), hypothesis).targets.front();
  };
  using Targets = std::vector<std::vector<Ticks>>;
  CHECK(targets({}) == Targets{{40, 35, 30}, {40, 35, 30}});
  // Rank 1 is in its first instance, 10 ns of which are inside, and rank 0 in its second one.
  CHECK(targets({50, 300}) == Targets{{35, 30}, {10, 35, 30}});
  CHECK(targets({65, 300}) == Targets{{33, 30}, {33, 30}});  // of 45 and 20 ns
  CHECK(targets({95, 300}) == Targets{{15, 30}, {30}});
  // foo is regular only if all ranks begin with the same instance.
  const auto is_regular = [&](const TimeWindow& window) {
    const auto found = imbalances(cut_window(builder.trace(), window).trace);
    const auto foo = std::ranges::find(found.regions, "foo", &Imbalance::region);
    REQUIRE(foo != found.regions.end());
    return foo->is_regular;
  };
  CHECK(is_regular({}));
  CHECK(is_regular({65, 300}));
  CHECK_FALSE(is_regular({50, 105}));  // instances 1 and 0, 1, 2
  CHECK_FALSE(is_regular({92, 118}));  // instances 1 and 2
}
