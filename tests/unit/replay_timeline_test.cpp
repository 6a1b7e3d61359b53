// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <numeric>

#include "sim/replay/report/reports.hpp"
#include "sim/replay/timeline.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/trace_builder.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::close_to;
using tests::SyntheticTrace;
using tests::TraceBuilder;
using P = tests::SyntheticProgram;

namespace {

using workloads::traces::Trace;

Timeline drawn(const Trace& trace, const ReplayArgs& args = {}, TimelineSpec spec = {}) {
  const auto result = replay(trace, args);
  if (spec.ranks.empty()) {
    spec.ranks.resize(trace.definitions.ranks.size());
    std::iota(spec.ranks.begin(), spec.ranks.end(), 0U);
  }
  if (spec.to == 0) spec.to = std::max(result.end_before, result.end_after);
  return timeline(
             trace, result, spec,
             [&](ReplaySink* sink) -> Result<ReplayResult> { return replay(trace, args, sink); })
      .value();
}

Ticks time_of(const Timeline& all, const std::vector<TimelineSpan>& bar, Doing doing) {
  Ticks sum = 0;
  for (const auto& span : bar)
    if (all.kinds[span.kind].doing == doing) sum += span.to - span.from;
  return sum;
}

Ticks waits(const Timeline& all, bool after) {
  Ticks sum = 0;
  for (const auto& rank : all.ranks)
    for (const Doing doing : {Doing::point_to_point_wait, Doing::collective_wait})
      sum += time_of(all, after ? rank.after : rank.before, doing);
  return sum;
}

// Rank 0 computes for 100 us, then sends; rank 1 computes for 10 us and receives.
TraceBuilder late_sender() {
  TraceBuilder builder(2);
  builder.enter(0, "main", 0);
  builder.region(0, "foo", 0, 100'000);
  builder.send(0, 100'000, 101'000, {.peer = 1, .bytes = 1000});
  builder.leave(0, "main", 101'000);
  builder.enter(1, "main", 0);
  builder.region(1, "foo", 0, 10'000);
  builder.recv(1, 10'000, 105'000, {.peer = 0, .bytes = 1000});
  builder.leave(1, "main", 105'000);
  return builder;
}

}  // namespace

TEST_CASE("bars show computation, calls and waits at their times, before and after") {
  const auto trace = late_sender().trace();
  const auto all =
      drawn(trace, {.hypothesis = {.balances = {{.region = "foo"}}}}, {.columns = 200'000});
  REQUIRE(all.column == 1);
  REQUIRE(all.ranks.size() == 2);
  const auto& before = all.ranks[1].before;
  REQUIRE(before.size() == 3);
  CHECK(all.kinds[before[0].kind].region == "foo");
  CHECK(before[0].to == 10'000);
  CHECK(all.kinds[before[1].kind].doing == Doing::point_to_point_wait);
  CHECK(before[1].to == 100'000);  // the send
  CHECK(all.kinds[before[2].kind].doing == Doing::point_to_point);
  CHECK(before[2].to == 105'000);
  const auto& after = all.ranks[1].after;
  REQUIRE(after.size() == 2);  // no wait
  CHECK(after[0].to == 55'000);
  CHECK(after[1].to == 60'000);
  REQUIRE(all.messages.size() == 1);
  CHECK(all.messages[0].sent.before == 100'000);
  CHECK(all.messages[0].received.after == 60'000);
  CHECK(all.narrow_pieces == 0);
}

TEST_CASE("waits are those of the replay, in all programs") {
  for (const auto& of : {SyntheticTrace{.program = P::lbcoll, .iterations = 3},
                         SyntheticTrace{.program = P::lbp2p, .iterations = 3},
                         SyntheticTrace{.program = P::halo, .ranks = 8, .iterations = 3},
                         SyntheticTrace{.program = P::rooted, .ranks = 6, .iterations = 6},
                         SyntheticTrace{.program = P::sweep, .ranks = 6, .iterations = 1},
                         SyntheticTrace{.program = P::xns, .ranks = 6, .iterations = 2}}) {
    CAPTURE(static_cast<int>(of.program));
    Trace trace;
    trace.definitions = tests::definitions_of(of);
    const auto events = tests::events_of(of);
    for (std::size_t rank = 0; rank < events.size(); ++rank) {
      trace.events.begin(static_cast<TraceRank>(rank));
      for (const auto& event : events[rank]) trace.events.append(event);
    }
    trace.events.finish();
    const ReplayArgs args{.hypothesis = {.scales = {{.region = "foo", .factor = 0.5}}}};
    const auto result = replay(trace, args);
    const auto all = drawn(trace, args, {.columns = 100'000});
    const auto blocked = [](const MetricTable& metrics) {
      return static_cast<double>(metrics.total()[static_cast<std::size_t>(Metric::blocked)]);
    };
    CHECK(static_cast<double>(waits(all, false)) == close_to(blocked(result.before), 0.01));
    CHECK(static_cast<double>(waits(all, true)) == close_to(blocked(result.after), 0.01));
  }
}

TEST_CASE("a window shows its events, in columns of the longest activity") {
  TraceBuilder builder(1);
  builder.enter(0, "main", 0);
  for (Ticks now = 0; now < 100'000; now += 100) {  // 60 in foo, 40 in bar
    builder.region(0, "foo", now, now + 60);
    builder.region(0, "bar", now + 60, now + 100);
  }
  builder.leave(0, "main", 100'000);
  const auto all = drawn(builder.trace(), {}, {.from = 20'000, .to = 40'000, .columns = 20});
  CHECK(all.column == 1'000);
  CHECK(all.pieces == 400);
  CHECK(all.narrow_pieces == 400);
  REQUIRE(all.ranks[0].before.size() == 1);
  const auto& span = all.ranks[0].before[0];
  CHECK(all.kinds[span.kind].region == "foo");
  CHECK(span.from == 20'000);
  CHECK(span.to == 40'000);
}

TEST_CASE("removed calls are only in the trace, and too many messages are not drawn") {
  const auto trace = late_sender().trace();
  const auto all =
      drawn(trace, {.hypothesis = {.cuts = {{.message_bytes = 1000}}}}, {.columns = 200'000});
  CHECK(waits(all, false) == 90'000);
  CHECK(waits(all, true) == 0);
  REQUIRE(all.messages.size() == 1);
  CHECK(all.messages[0].is_cut);
  CHECK(all.ranks[1].after.back().to == 10'000);
  const auto few = drawn(trace, {}, {.most_messages = 0});
  CHECK(few.messages.empty());
  CHECK(few.message_count == 1);
}

TEST_CASE("the trace shows removed messages, both bars those that stay") {
  TraceBuilder builder(2);
  builder.send(0, 1'000, 2'000, {.peer = 1, .bytes = 0});
  builder.send(0, 8'000, 9'000, {.peer = 1, .bytes = 1000});
  builder.recv(1, 0, 3'000, {.peer = 0, .bytes = 0});
  builder.recv(1, 4'000, 12'000, {.peer = 0, .bytes = 1000});
  const ReplayArgs args{.hypothesis = {.cuts = {{.message_bytes = 0}}}};
  const auto all = drawn(builder.trace(), args, {.columns = 100'000});
  REQUIRE(all.messages.size() == 2);
  CHECK(all.message_count == 2);
  CHECK(all.messages[0].is_cut);
  CHECK(all.messages[0].received.before == 3'000);
  CHECK_FALSE(all.messages[1].is_cut);
  CHECK(all.messages[1].received.before == 12'000);
  CHECK(all.messages[1].received.after < 12'000);
  CHECK(waits(all, false) == 1'000 + 4'000);
  const auto few = drawn(builder.trace(), args, {.most_messages = 1});
  CHECK(few.messages.empty());
  CHECK(few.message_count == 2);
}

TEST_CASE("calls that wait without end are drawn") {
  TraceBuilder builder(2);
  builder.recv(0, 0, 1'000, {.peer = 1});              // nobody sends it
  builder.collective(1, "MPI_Barrier", 0, 2'000, {});  // the other never comes
  const auto all = drawn(builder.trace());
  CHECK(waits(all, false) == 0);
  CHECK(time_of(all, all.ranks[0].before, Doing::point_to_point) == 1'000);
  CHECK(time_of(all, all.ranks[1].before, Doing::collective) == 2'000);
}

TEST_CASE("the ranks that wait most and least are shown") {
  TraceBuilder builder(6);
  for (int rank = 0; rank < 6; ++rank)
    builder.collective(rank, "MPI_Barrier", rank * 1'000, 6'000, {});
  const auto result = replay(builder.trace(), {});
  CHECK(extreme_ranks(result, 6).size() == 6);
  CHECK(extreme_ranks(result, 3) == std::vector<TraceRank>{0, 1, 5});
}

TEST_CASE("a picture has a bar before and one after where something changes") {
  const auto trace = late_sender().trace();
  const ReplayArgs args{.hypothesis = {.balances = {{.region = "foo"}}}};
  const auto result = replay(trace, args);
  const auto all = drawn(trace, args);
  const auto picture = [&](bool is_changed, bool has_times = true) {
    return reports::replay_timeline_picture({"t", is_changed, has_times}, trace.definitions, result,
                                            all);
  };
  const auto both = picture(true);
  REQUIRE(both.rows.size() == 2);
  CHECK(both.rows[0].bars.size() == 2);
  CHECK(both.arrows.size() == 2);
  CHECK(both.series == std::vector<std::string>{"foo", "point-to-point", "waiting for messages"});
  CHECK(both.subtitle.find("-42.9 %") != std::string::npos);
  REQUIRE(both.notes.size() == 1);
  CHECK(both.notes[0].starts_with("lines: messages"));
  const auto one = picture(false);
  CHECK(one.rows[0].bars.size() == 1);
  CHECK(one.arrows.size() == 1);
  const auto untimed = picture(true, false);
  CHECK(untimed.subtitle.find('%') == std::string::npos);
  CHECK(untimed.arrows.size() == 1);
}
