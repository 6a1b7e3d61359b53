// SPDX-License-Identifier: BSD-3-Clause
// Reads of Open MPI's vulcan and dynamic_gen2, in which an aggregator reads for its group of ranks;
// and the range of accesses with ranks without data.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "io_models/array_access.hpp"
#include "io_models/cycle_choice.hpp"
#include "io_models/implementations/plan.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/simulated_io.hpp"

using namespace tutti;
using namespace tutti::io_models;
using tests::exactly;

namespace {

struct Read {
  int aggregators = 1;
  Bytes buffer_bytes = 1;
};

Plan read_plan(const Access& access, const Read& read, const Implementation& by = vulcan) {
  return {access,
          tests::test_placement(access.procs()),
          {.implementation = &by,
           .aggregators = read.aggregators,
           .buffer_bytes = read.buffer_bytes,
           .reads = true}};
}

// Bytes by aggregator, cycle and rank: byte by byte along the group's pieces.
using ByCycle = std::map<std::tuple<int, std::int64_t, RankId>, Bytes>;

ByCycle counted(const Access& access, const Read& read) {
  ByCycle bytes;
  RankId first = 0;
  for (int group = 0; group < read.aggregators; ++group) {
    const int size =
        access.procs() / read.aggregators + (group < access.procs() % read.aggregators ? 1 : 0);
    std::vector<std::pair<Extent, RankId>> all;
    for (RankId rank = first; rank < first + size; ++rank) {
      std::vector<Extent> pieces;
      access.pieces(rank, access.range(), pieces);
      for (const Extent& each : pieces) all.emplace_back(each, rank);
    }
    std::ranges::stable_sort(all, {}, [](const auto& each) { return each.first.begin; });
    Bytes position = 0;
    for (const auto& [piece, rank] : all)
      for (Bytes at = piece.begin; at < piece.end; ++at)
        ++bytes[{group, position++ / read.buffer_bytes, rank}];
    for (std::int64_t cycle = 0; cycle * read.buffer_bytes < position; ++cycle)
      for (RankId rank = first; rank < first + size; ++rank) bytes[{group, cycle, rank}] += 0;
    first += size;
  }
  return bytes;
}

ByCycle computed(const Redistribution& redistribution) {
  ByCycle bytes;
  for (int i = 0; i < redistribution.aggregators(); ++i)
    for (std::int64_t cycle = 0; cycle < redistribution.cycles(); ++cycle) {
      std::vector<Transfer> messages;
      redistribution.transfers(i, cycle, messages);
      for (const Transfer& each : messages) bytes[{i, cycle, each.rank}] += each.bytes;
    }
  return bytes;
}

// A number below the limit.
Bytes random_below(tests::Draw& draw, Bytes limit) {
  return static_cast<Bytes>(draw.below(static_cast<std::uint64_t>(limit)));
}

ListAccess random_pieces(tests::Draw& draw, int procs, bool overlap) {
  std::vector<std::vector<Extent>> pieces(procs);
  std::vector<Bytes> ends(procs);
  for (Bytes at = random_below(draw, 50), i = 0; i < 40; ++i) {
    auto& own = pieces[random_below(draw, procs)];
    const Bytes bytes = 1 + random_below(draw, 30);
    if (own.empty() || own.back().end <= at) own.push_back({at, at + bytes});
    at += overlap ? random_below(draw, bytes + 1)
                  : bytes + random_below(draw, 2) * random_below(draw, 20);
  }
  return ListAccess(std::move(pieces));
}

}  // namespace

TEST_CASE("each cycle of a group has the next buffer of its pieces in the order of offsets") {
  tests::Draw draw(5);
  int overlapping = 0;
  for (int sample = 0; sample < 60; ++sample) {
    const int procs = 1 + static_cast<int>(random_below(draw, 9));
    const auto access = random_pieces(draw, procs, sample % 2 == 0);
    overlapping += access.overlaps() ? 1 : 0;
    const Read read{1 + static_cast<int>(random_below(draw, procs)), 1 + random_below(draw, 90)};
    CAPTURE(sample);
    CHECK(computed(read_plan(access, read).redistribution()) == counted(access, read));
  }
  CHECK(overlapping > 20);
  for (const int aggregators : {1, 2, 3, 5, 6})
    for (const Bytes buffer : {7, 64, 1000}) {
      const auto blocks = GridAccess::blocks({2, 3}, 8, 11);
      CHECK(computed(read_plan(blocks, {aggregators, buffer}).redistribution()) ==
            counted(blocks, {aggregators, buffer}));
    }
}

TEST_CASE("the aggregators of reads are the first ranks of the groups") {
  const auto access = GridAccess::blocks({8, 1}, 8, 10);
  for (const Implementation* each : {&vulcan, &dynamic_gen2})
    CHECK(read_plan(access, {3, 10}, *each).aggregators() == std::vector<RankId>{0, 3, 6});
}

TEST_CASE("the ranks of a group exchange lengths, numbers of pieces and pieces") {
  // Groups 0-2 and 3-4; rank 1 has no data.
  const ListAccess access({{{0, 10}, {20, 30}}, {}, {{10, 20}}, {{30, 35}}, {{40, 45}}});
  const Plan plan = read_plan(access, {2, 1000});
  const Schedule schedule(plan.redistribution(), all_cycles(plan.redistribution()).cycles());
  const ShuffleJob job = plan.job(schedule, {.writes = false, .with_setup = true});
  class Counter : public runtime::Observer {
   public:
    void on_send(const runtime::SentMessage& message) override {
      auto& [count, bytes] = sent[{message.source, message.destination}];
      ++count;
      bytes += message.data.bytes;
    }
    std::map<std::pair<int, int>, std::pair<int, Bytes>> sent;
  } counter;
  const auto machine = tests::test_machine(5);
  const auto placement = tests::test_placement(5);
  const auto outcome =
      engines::run_ideal({.machine = machine,
                          .placement = placement,
                          .program = [&](runtime::Rank& me) { return vulcan.read(me, job); },
                          .observers = {&counter}});
  CHECK(outcome.problems == std::vector<std::string>{});
  const std::map<std::pair<int, int>, std::pair<int, Bytes>> expected{
      {{1, 0}, {2, 8 + 4}},
      {{2, 0}, {3, 8 + 4 + 16}},
      {{0, 0}, {1, 20}},
      {{0, 1}, {4, 3 * 8 + 3 * 4 + 3 * 16 + 0}},
      {{0, 2}, {4, 3 * 8 + 3 * 4 + 3 * 16 + 10}},
      {{4, 3}, {3, 8 + 4 + 16}},
      {{3, 3}, {1, 5}},
      {{3, 4}, {4, 2 * 8 + 2 * 4 + 2 * 16 + 5}}};
  CHECK(counter.sent == expected);
}

TEST_CASE("repeating cycles of reads by groups are extrapolated to the result of the full job") {
  constexpr CycleLimits limits{.runs_ahead_bytes = 1000};  // of tests::test_machine
  int exact = 0;
  for (const int aggregators : {1, 2, 3, 4})
    for (const Bytes buffer : {2048, 3000, 8192})
      for (const Grid grid : {Grid{8, 1}, Grid{2, 4}, Grid{1, 8}}) {
        const auto access = GridAccess::blocks(grid, 64, 16'384);
        const Plan plan = read_plan(access, {aggregators, buffer});
        const CycleChoice choice = repeated_cycles(plan.redistribution(), limits);
        if (choice.method != CycleMethod::repeated) continue;
        const auto reported = tests::simulate(plan, choice, false).reported;
        if (!reported) continue;
        const auto all = tests::simulate(plan, all_cycles(plan.redistribution()), false).reported;
        tests::check_equal_times(*reported, *all);
        ++exact;
      }
  CHECK(exact >= 12);
}

TEST_CASE("groups without a large message in a cycle cannot be sampled") {
  const auto access = GridAccess::blocks({8, 1}, 8, 100'000);
  const CycleLimits limits{.most_messages = 100, .runs_ahead_bytes = 1000};
  const auto runs = [&](Bytes buffer) {
    return sampled_cycles(read_plan(access, {2, buffer}).redistribution(), limits).runs.size();
  };
  CHECK(runs(2000) >= 3);  // one message of 2000 B and three empty ones
  CHECK(runs(900) == 0);
}

TEST_CASE("a sample contains the set-up once, which is not extrapolated") {
  const auto access = GridAccess::blocks({8, 1}, 8, 4'000'000);
  const Plan plan = read_plan(access, {2, 100'000});
  const CycleLimits limits{.most_messages = 1000, .most_sampled = 200, .runs_ahead_bytes = 1000};
  const CycleChoice choice = sampled_cycles(plan.redistribution(), limits);
  REQUIRE(choice.runs.size() >= 3);
  const auto sample = tests::simulate(plan, choice, false, true);
  const auto all = tests::simulate(plan, all_cycles(plan.redistribution()), false, true);
  REQUIRE(sample.reported);
  CHECK(all.reported->end_s > 5 * sample.end_s);
  for (std::size_t i = 0; i < 2; ++i) {
    const AggregatorSpent& spent = sample.reported->spent[i];
    const AggregatorSpent& full = all.reported->spent[i];
    CHECK(full.setup_s > 0);
    CHECK(spent.setup_s == exactly(full.setup_s));
    const double error = 2 * *sample.reported->sampling_error;
    CHECK(spent.shuffle_s == tests::close_to(full.shuffle_s, error));
    CHECK(spent.end_s == tests::close_to(full.end_s, error));
  }
}

TEST_CASE("pieces are stored if domains divide data with gaps, or more than the data") {
  const auto args = [](const Implementation& by, bool reads = false) {
    return PlanArgs{.implementation = &by, .aggregators = 2, .reads = reads};
  };
  const ListAccess dense({{{100, 200}}, {{200, 300}}}, true);
  const ListAccess idle({{{100, 200}}, {}, {{200, 300}}}, true);
  const ListAccess gaps({{{100, 200}}, {{250, 300}}}, true);
  const ListAccess overlaps({{{100, 200}}, {{150, 300}}}, true);
  CHECK(!lists_pieces(dense, args(vulcan)));
  for (const Access* each : {&idle, &gaps, &overlaps}) {
    CHECK(lists_pieces(*each, args(vulcan)));
    CHECK(!lists_pieces(*each, args(two_phase)));
    CHECK(lists_pieces(*each, args(vulcan, true)) == (each == &overlaps));
  }
  CHECK(!lists_pieces(idle, args(dynamic_gen2)));
}

TEST_CASE("the range of vulcan, two_phase and romio begins at the position of ranks without data") {
  // Rank 1 has no data. Two domains of bytes 0 to 299, or of bytes 100 to 299.
  const std::vector<std::vector<Extent>> pieces{{{100, 200}}, {}, {{200, 300}}};
  const auto first_domain = [&](const Implementation& by, bool idle_at_zero) {
    const ListAccess access(pieces, idle_at_zero);
    const Plan plan(access, tests::test_placement(3),
                    {.implementation = &by, .aggregators = 2, .buffer_bytes = 1000});
    CHECK(plan.redistribution().cycles() == 1);
    std::vector<Extent> extents;
    plan.redistribution().file_extents(0, 0, extents);
    return extents;
  };
  for (const Implementation* each : {&vulcan, &two_phase, &romio})
    CHECK(first_domain(*each, true) == std::vector<Extent>{{100, 150}});
  for (const Implementation* each : {&two_phase, &romio})
    CHECK(first_domain(*each, false) == std::vector<Extent>{{100, 200}});
  CHECK(first_domain(generic, true) == std::vector<Extent>{{100, 200}});
}
