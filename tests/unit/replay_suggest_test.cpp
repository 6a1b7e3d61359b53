// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/replay/hypothesis_file.hpp"
#include "sim/replay/suggest.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/trace_builder.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::TraceBuilder;

namespace {

// The computations of each rank, in order, before a barrier.
using Phase = std::vector<std::vector<std::pair<std::string, Ticks>>>;

TraceBuilder program(const std::vector<Phase>& phases) {
  const int ranks = static_cast<int>(phases.front().size());
  TraceBuilder builder(ranks);
  std::vector<Ticks> now(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) builder.enter(rank, "main", 0);
  for (const auto& phase : phases) {
    auto ends = now;
    for (std::size_t rank = 0; rank < phase.size(); ++rank)
      for (const auto& [region, duration] : phase[rank]) {
        builder.region(static_cast<int>(rank), region, ends[rank], ends[rank] + duration);
        ends[rank] += duration;
      }
    const Ticks over = *std::ranges::max_element(ends) + 1000;
    for (std::size_t rank = 0; rank < phase.size(); ++rank)
      builder.collective(static_cast<int>(rank), "MPI_Barrier", ends[rank], over, {});
    now.assign(now.size(), over);
  }
  for (int rank = 0; rank < ranks; ++rank) builder.leave(rank, "main", now.front());
  return builder;
}

const Suggestion& named(const Suggestions& all, const std::string& name) {
  for (const auto& each : all.suggestions)
    if (each.name == name) return each;
  FAIL("no suggestion " << name);
  return all.suggestions.front();
}

std::vector<std::string> names_of(const Suggestions& all, const SuggestedStep& step) {
  std::vector<std::string> names;
  for (const auto i : step.suggestions) names.push_back(all.suggestions[i].name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("imbalance is detected by instance, even if sums are equal") {
  const auto trace =
      program({{{{"foo", 10'000}}, {{"foo", 30'000}}}, {{{"foo", 30'000}}, {{"foo", 10'000}}}})
          .trace();
  const auto found = imbalances(trace);
  REQUIRE(found.regions.size() == 2);  // main has no time of its own
  const auto& foo = found.regions.front();
  CHECK(foo.region == "foo");
  CHECK(foo.excess == 20'000);
  CHECK(foo.ratio() == tests::exactly(1));
  CHECK(foo.is_regular);
  CHECK(foo.instances == 4);
  CHECK(foo.time == 80'000);
  const auto suggestions = suggest_changes(trace, {}).value();
  CHECK(named(suggestions, "balance foo").outcome.end == 42'000);
  CHECK(suggestions.now.end == 62'000);
}

TEST_CASE("if ranks have different numbers of instances, their sums are balanced") {
  const auto trace =
      program({{{{"foo", 15'000}, {"foo", 15'000}, {"foo", 30'000}}, {{"foo", 20'000}}}}).trace();
  const auto suggestions = suggest_changes(trace, {}).value();
  REQUIRE(suggestions.steps.size() == 1);
  CHECK(suggestions.together.balances.front().mode == Balance::Mode::scaled);
  CHECK(suggestions.suggestions.front().of.excess == 20'000);
  CHECK(suggestions.steps.front().outcome.end == 41'000);
  CHECK(suggestions.steps.front().outcome.blocked == 0);
}

TEST_CASE("an imbalance hidden by another gains nothing until that is removed") {
  // Ranks 0 and 1 differ in foo; rank 2 is slower than both, in bar.
  const auto trace = program({{{{"foo", 20'000}, {"bar", 10'000}},
                               {{"foo", 10'000}, {"bar", 10'000}},
                               {{"foo", 15'000}, {"bar", 70'000}}}})
                         .trace();
  const auto suggestions = suggest_changes(trace, {}).value();
  CHECK(suggestions.now.end == 86'000);
  REQUIRE(suggestions.suggestions.size() == 2);
  CHECK(suggestions.suggestions.front().name == "balance bar");
  CHECK(suggestions.suggestions.front().outcome.end == 51'000);
  CHECK(named(suggestions, "balance foo").outcome.end == 86'000);
  REQUIRE(suggestions.steps.size() == 2);
  CHECK(names_of(suggestions, suggestions.steps[0]) == Names{"balance bar"});
  CHECK(names_of(suggestions, suggestions.steps[1]) == Names{"balance foo"});
  CHECK(suggestions.steps[1].outcome.end == 46'000);
  CHECK(suggestions.together.balances.size() == 2);
}

TEST_CASE("imbalances that hide each other are found together, without irrelevant ones") {
  // Rank 0 is slow in foo, rank 1 equally in bar. After that no rank waits for baz.
  const auto trace = program({{{{"foo", 50'000}, {"bar", 10'000}},
                               {{"foo", 10'000}, {"bar", 50'000}},
                               {{"foo", 10'000}, {"bar", 10'000}},
                               {{"foo", 10'000}, {"bar", 10'000}}},
                              {{{"big", 100'000}}, {}, {{"baz", 4'000}}, {{"baz", 0}}}})
                         .trace();
  const auto suggestions = suggest_changes(trace, {}).value();
  CHECK(suggestions.now.end == 162'000);
  CHECK(suggestions.suggestions.size() == 3);
  for (const auto& each : suggestions.suggestions) CHECK(each.outcome.end >= 162'000);
  REQUIRE(suggestions.steps.size() == 1);
  auto names = names_of(suggestions, suggestions.steps[0]);
  std::ranges::sort(names);
  CHECK(names == Names{"balance bar", "balance foo"});
  CHECK(suggestions.steps[0].outcome.end == 142'000);
}

TEST_CASE("imbalances that compensate each other are ignored") {
  // Rank 0 does more foo and less bar: both end at the same time.
  const auto trace =
      program({{{{"foo", 30'000}, {"bar", 10'000}}, {{"foo", 10'000}, {"bar", 30'000}}}}).trace();
  const auto suggestions = suggest_changes(trace, {}).value();
  REQUIRE(suggestions.suggestions.size() == 2);
  for (const auto& each : suggestions.suggestions) CHECK(each.outcome.end == 51'000);
  CHECK(suggestions.steps.empty());
  CHECK(suggestions.together.is_empty());
}

TEST_CASE("small imbalances are counted, as are those beyond the maximum number") {
  const auto trace = program({{{{"a", 100'000}, {"b", 20'000}, {"c", 20'000}, {"tiny", 1'000}},
                               {{"a", 100'000}, {"b", 10'000}, {"c", 15'000}, {"tiny", 1'010}}}})
                         .trace();
  const auto all = suggest_changes(trace, {}).value();
  CHECK(all.suggestions.size() == 2);
  CHECK(all.too_small == 3);  // main and a, too
  CHECK(all.not_simulated == 0);
  const auto one = suggest_changes(trace, {.most = 1, .forces = true}).value();
  CHECK(one.suggestions.size() == 1);
  CHECK(one.suggestions.front().name == "balance b");
  CHECK(one.not_simulated == 1);
}

// The set of ranks that differs from the mean in the same direction and is the smaller one.
TEST_CASE("the minority of the ranks causes an imbalance") {
  const auto foo = [](const std::vector<std::vector<Ticks>>& instances) {
    std::vector<Phase> phases;
    for (const auto& of_ranks : instances) {
      auto& phase = phases.emplace_back();
      for (const Ticks time : of_ranks) phase.push_back({{"foo", time}});
    }
    const auto found = imbalances(program(phases).trace());
    return found.regions.front();
  };
  using Ranks = std::vector<TraceRank>;
  const auto slow = foo({{10'000, 10'000, 10'000, 30'000}});
  CHECK(slow.causing_ranks == Ranks{3});
  CHECK(slow.are_above);
  const auto fast = foo({{30'000, 10'000, 30'000, 30'000}});
  CHECK(fast.causing_ranks == Ranks{1});
  CHECK_FALSE(fast.are_above);
  // The mean is 20: rank 1 is in neither set, and the slow ranks cause waits.
  const auto equal = foo({{10'000, 20'000, 30'000}});
  CHECK(equal.causing_ranks == Ranks{2});
  CHECK(equal.are_above);
  CHECK(foo({{10'000, 30'000}, {30'000, 10'001}}).causing_ranks.empty());
  CHECK(foo({{10'000, 30'000}, {20'000, 10'000}, {10'000, 30'000}}).causing_ranks == Ranks{1});
}

TEST_CASE("removing many empty messages is suggested") {
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank) builder.enter(rank, "main", 0);
  for (Ticks now = 0; now < 10'000; now += 2'000) {
    builder.send(0, now, now + 1'000, {.peer = 1, .bytes = 0});
    builder.recv(1, now, now + 1'500, {.peer = 0, .bytes = 0});
  }
  builder.leave(0, "main", 10'000);
  builder.leave(1, "main", 10'000);
  const auto suggestions = suggest_changes(builder.trace(), {}).value();
  const auto& cut = named(suggestions, "cut empty messages");
  CHECK(cut.cuts == 5);
  CHECK(cut.outcome.end < 10'000);
}

TEST_CASE("the suggestion with the largest potential is simulated first, whatever its kind") {
  const auto with_foo = [](Ticks duration) {
    TraceBuilder builder(2);
    builder.region(0, "foo", 0, 10'000);
    builder.region(1, "foo", 0, 10'000 + duration);
    builder.region(0, "MPI_Iprobe", 10'000, 30'000);
    builder.region(1, "MPI_Iprobe", 10'000 + duration, 30'000);
    for (Ticks now = 30'000; now < 40'000; now += 2'000) {
      builder.send(0, now, now + 1'000, {.peer = 1, .bytes = 0});
      builder.recv(1, now, now + 1'500, {.peer = 0, .bytes = 0});
    }
    return builder.trace();
  };
  const auto first = [](const workloads::traces::Trace& trace) {
    const auto found = suggest_changes(trace, {.most = 1, .forces = true}).value();
    REQUIRE(found.suggestions.size() == 1);
    CHECK(found.not_simulated > 0);
    return found.suggestions.front().name;
  };
  CHECK(imbalances(with_foo(8'000)).empty_messages_time == 7'500);
  CHECK(first(with_foo(8'000)) == "cut empty messages");   // 4'000
  CHECK(first(with_foo(10'000)) == "cut empty messages");  // 5'000
  CHECK(first(with_foo(18'000)) == "balance foo");         // 9'000
}

TEST_CASE("regions whose names look like patterns are matched literally") {
  const auto trace = program({{{{"void f<int*>[1]", 10'000}, {"void f<intX>1", 10'000}},
                               {{"void f<int*>[1]", 20'000}, {"void f<intX>1", 10'000}}}})
                         .trace();
  const auto suggestions = suggest_changes(trace, {}).value();
  REQUIRE(suggestions.steps.size() == 1);
  CHECK(suggestions.suggestions.front().name == "balance void f<int*>[1]");
  CHECK(suggestions.steps.front().outcome.end == 26'000);
  const auto read = read_hypothesis(hypothesis_text(suggestions.together), "h.toml");
  REQUIRE(read);
  CHECK(read->balances.front().region == suggestions.together.balances.front().region);
}
