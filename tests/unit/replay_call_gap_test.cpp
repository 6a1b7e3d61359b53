// SPDX-License-Identifier: BSD-3-Clause
// The time of the caller that disappears with a cut call, learned from a trace.
#include <doctest/doctest.h>

#include "sim/replay/call_gap.hpp"
#include "tests/support/trace_builder.hpp"

namespace {

using namespace tutti;
using namespace tutti::studies::replay;
using tests::TraceBuilder;

// Calls of MPI_Send with these sizes, 1 us long, each after a gap.
struct Sends {
  TraceBuilder builder{2};
  Ticks now = 0;

  void add(Ticks gap, std::uint64_t bytes) {
    now += gap + 1'000;
    builder.send(0, now - 1'000, now, {.peer = 1, .bytes = bytes});
  }
  CallGap gap(const ReplayArgs& args = {.hypothesis = {.cuts = {{.message_bytes = 0}}}}) {
    return call_gap(builder.trace(), args);
  }
};

}  // namespace

TEST_CASE("the median time between two cut calls is removed with each of them") {
  Sends sends;
  sends.builder.enter(0, "main", 0);
  for (const Ticks gap : {90'000, 400, 500, 600, 9'000}) sends.add(gap, 0);
  sends.add(100, 8);  // shorter, but next to a kept call
  sends.builder.leave(0, "main", sends.now);
  const auto gap = sends.gap();
  CHECK(gap.ticks == 600);
  CHECK(gap.note ==
        "each cut call also removes 600 ns of its caller, the median time between two cut calls; "
        "call_gap of the hypothesis sets another time");
  // Computation may be faster, too.
  CHECK(sends.gap({.hypothesis = {.cuts = {{.message_bytes = 0}}}, .cpu_factor = 0.5}).ticks ==
        300);
}

TEST_CASE("if no two cut calls follow each other, the shortest time next to one is removed") {
  Sends sends;
  sends.builder.enter(0, "main", 0);
  for (int i = 0; i < 3; ++i) {
    sends.add(700, 8);
    sends.add(500 + 10 * i, 0);
  }
  sends.add(900, 8);
  sends.builder.leave(0, "main", sends.now);
  const auto gap = sends.gap();
  CHECK(gap.ticks == 500);
  CHECK(gap.note.find("the shortest time between a cut call and the next or previous one") !=
        std::string::npos);
}

TEST_CASE("times between calls of different region instances do not count") {
  Sends sends;
  for (int i = 0; i < 3; ++i) {
    sends.builder.enter(0, "exchange", sends.now);
    sends.add(500, 0);
    sends.builder.leave(0, "exchange", sends.now);
  }
  const auto gap = sends.gap();
  CHECK(gap.ticks == 0);
  CHECK(gap.note.empty());
}

TEST_CASE("a cut region of MPI calls shows their gap, one of the program does not") {
  Sends sends;
  sends.builder.enter(0, "main", 0);
  for (int i = 0; i < 3; ++i) sends.add(500, 8);
  sends.builder.leave(0, "main", sends.now);
  CHECK(sends.gap({.hypothesis = {.cuts = {{.region = "MPI_*"}}}}).ticks == 500);
  CHECK(sends.gap({.hypothesis = {.cuts = {{.region = "main"}}}}).ticks == 0);
  CHECK(sends.gap({.hypothesis = {.cuts = {{.message_bytes = 8, .within = "main"}}}}).ticks == 500);
  CHECK(sends.gap({.hypothesis = {.cuts = {{.message_bytes = 8, .within = "foo"}}}}).ticks == 0);
}

TEST_CASE("a gap that is given is not learned") {
  Sends sends;
  sends.builder.enter(0, "main", 0);
  for (int i = 0; i < 3; ++i) sends.add(500, 0);
  sends.builder.leave(0, "main", sends.now);
  Hypothesis cut{.cuts = {{.message_bytes = 0}}, .call_gap_s = 0.0};
  CHECK(sends.gap({.hypothesis = cut}).ticks == 0);
  cut.call_gap_s = 2e-6;
  CHECK(sends.gap({.hypothesis = cut}).ticks == 2'000);
  CHECK(sends.gap({.hypothesis = cut}).note.empty());
  CHECK(sends.gap({.hypothesis = cut, .loggp = LogGP{.call_gap_s = 3e-6}}).ticks == 3'000);
  CHECK(sends.gap({}).ticks == 0);  // nothing is cut
}

TEST_CASE("of many gaps a sample is enough") {
  Sends sends;
  sends.builder.enter(0, "main", 0);
  for (int i = 0; i < 200'000; ++i) sends.add(500 + i % 3, 0);
  sends.builder.leave(0, "main", sends.now);
  CHECK(sends.gap().ticks == 501);
}
