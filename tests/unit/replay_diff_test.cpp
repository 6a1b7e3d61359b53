// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/replay/trace_diff.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/trace_builder.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::exactly;
using tests::TraceBuilder;

namespace {

// Rank 0 computes in foo, then sends; rank 1 receives.
TraceBuilder program(Ticks foo, const std::string& last = "bar") {
  TraceBuilder builder(2);
  builder.enter(0, "main", 0);
  builder.region(0, "foo", 0, foo);
  builder.send(0, foo, foo + 1'000, {.peer = 1});
  builder.leave(0, "main", foo + 1'000);
  builder.enter(1, "main", 0);
  builder.recv(1, 0, foo + 3'000, {.peer = 0});
  builder.region(1, last, foo + 3'000, foo + 4'000);
  builder.leave(1, "main", foo + 4'000);
  return builder;
}

const MetricPair* find(const std::vector<MetricPair>& pairs, Metric metric, const std::string& path,
                       std::optional<TraceRank> rank = {}) {
  for (const auto& each : pairs)
    if (each.metric == metric && each.path == path && each.rank == rank) return &each;
  return nullptr;
}

TraceDiff diff_of(const workloads::traces::Trace& a, const workloads::traces::Trace& b) {
  const auto of_a = replay(a, {}), of_b = replay(b, {});
  return trace_diff({a.definitions, of_a}, {b.definitions, of_b});
}

}  // namespace

TEST_CASE("a trace does not differ from itself") {
  const auto trace = program(10'000).trace();
  const auto diff = diff_of(trace, trace);
  CHECK(!diff.ranks.empty());
  for (const auto* pairs : {&diff.totals, &diff.paths, &diff.ranks})
    for (const auto& each : *pairs) CHECK(each.difference() == exactly(0));
}

TEST_CASE("metrics differ by call path and rank, in seconds for any clock resolution") {
  const auto a = program(10'000).trace();
  auto b = program(4'000).trace();  // four times as long: a tick is 10 ns
  b.definitions.ticks_per_s = 1e8;
  const auto diff = diff_of(a, b);
  CHECK(diff.end_a_s == exactly(14e-6));
  CHECK(diff.end_b_s == exactly(80e-6));
  const auto* foo = find(diff.paths, Metric::time, "main/foo");
  REQUIRE(foo != nullptr);
  CHECK(foo->a == exactly(10e-6));
  CHECK(foo->b == exactly(40e-6));
  const auto* late = find(diff.ranks, Metric::late_sender, "main/MPI_Recv", 1);
  REQUIRE(late != nullptr);
  CHECK(late->difference() == exactly(30e-6));
  CHECK(find(diff.ranks, Metric::late_sender, "main/MPI_Recv", 0) == nullptr);
  const auto* visits = find(diff.totals, Metric::visits, "");
  REQUIRE(visits != nullptr);
  CHECK(visits->a == exactly(visits->b));
}

TEST_CASE("call paths are matched by name, and those of only one trace have no counterpart") {
  const auto diff = diff_of(program(10'000).trace(), program(10'000, "baz").trace());
  const auto *bar = find(diff.paths, Metric::visits, "main/bar"),
             *baz = find(diff.paths, Metric::visits, "main/baz");
  REQUIRE(bar != nullptr);
  REQUIRE(baz != nullptr);
  CHECK(bar->b == exactly(0));
  CHECK(baz->a == exactly(0));
  CHECK(find(diff.paths, Metric::time, "main/foo")->difference() == exactly(0));
}

TEST_CASE("traces with different numbers of ranks are compared only by call path") {
  TraceBuilder one(1);
  one.region(0, "main", 0, 5'000);
  const auto diff = diff_of(one.trace(), program(10'000).trace());
  CHECK(diff.ranks.empty());
  CHECK(!diff.paths.empty());
}
