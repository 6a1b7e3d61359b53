// SPDX-License-Identifier: BSD-3-Clause
// Every fallback of Open MPI's versions (the table in algorithms/README.md), on both sides of its
// condition: what the registry states, and the messages that are really sent.
#include <doctest/doctest.h>

#include <map>
#include <string_view>
#include <vector>

#include "algorithms/collective.hpp"
#include "algorithms/selection/algorithm_sets.hpp"
#include "algorithms/selection/decision.hpp"
#include "algorithms/selection/selection.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "sim/engines/traffic_counter.hpp"
#include "tests/support/test_machine.hpp"

using tutti::Bytes;
using tutti::algorithms::Algorithm;
using tutti::algorithms::algorithms_of;
using tutti::algorithms::CollectiveArgs;
using tutti::algorithms::find_algorithm;
namespace selection = tutti::algorithms::selection;

namespace {

struct Side {
  int procs;
  CollectiveArgs call;
};

struct Fallback {
  std::string_view collective;
  int id;
  std::vector<std::string_view> versions;
  std::string_view runs;
  std::vector<Side> falls_back;
  std::vector<Side> runs_itself;
};

const std::vector<std::string_view> all_versions{"ompi-3.1", "ompi-4.1", "ompi-5.0", "ompi-6"};
const std::vector<std::string_view> since_4{"ompi-4.1", "ompi-5.0", "ompi-6"};

CollectiveArgs of(Bytes bytes, Bytes element = 1) {
  return {.message_bytes = bytes, .element_bytes = element};
}
CollectiveArgs in_order(Bytes bytes) { return {.message_bytes = bytes, .commutative = false}; }
CollectiveArgs segments(Bytes bytes, Bytes segment, Bytes element = 1) {
  return {.message_bytes = bytes, .segment_bytes = segment, .element_bytes = element};
}

// ompi/mca/coll/base/coll_base_*.c of 4.1.4, 5.0.7 and main (07a69c33); 3.1 has no algorithms of
// its own with other conditions.
const std::vector<Fallback>& fallbacks() {
  static const std::vector<Fallback> all{
      {"allgather",
       3,
       {"ompi-3.1", "ompi-4.1", "ompi-5.0", "ompi-6"},
       "bruck",
       {{3, of(8)}, {6, of(8)}, {12, of(8)}},
       {{2, of(8)}, {4, of(8)}, {16, of(8)}}},
      {"allgather", 5, all_versions, "ring", {{3, of(8)}, {7, of(8)}}, {{4, of(8)}, {6, of(8)}}},
      {"allgatherv", 4, all_versions, "ring", {{3, of(8)}, {7, of(8)}}, {{4, of(8)}, {6, of(8)}}},
      {"allreduce",
       4,
       all_versions,
       "recursive_doubling",
       {{8, of(7)}, {7, of(48, 8)}, {5, of(16, 4)}},
       {{8, of(8)}, {7, of(56, 8)}, {5, of(20, 4)}}},
      {"allreduce",
       5,
       all_versions,
       "ring",
       {{8, segments(799, 100)}, {5, segments(76, 16, 4)}, {4, segments(4096, 0)}},
       {{8, segments(1600, 100)}, {5, segments(160, 16, 4)}}},
      {"allreduce",
       6,
       {"ompi-4.1", "ompi-5.0"},
       "basic_linear",
       {{8, of(7)}, {9, of(7)}, {15, of(56, 8)}, {16, of(15)}, {8, in_order(800)}},
       {{8, of(8)}, {9, of(8)}, {15, of(64, 8)}, {16, of(16)}}},
      {"allreduce",
       6,
       {"ompi-6"},
       "basic_linear",
       {{8, in_order(7)}, {9, in_order(800)}},
       {{8, of(7)}, {9, of(1)}, {15, of(56, 8)}, {16, of(15)}, {33, of(16, 16)}, {16, of(16)}}},
      {"bcast",
       4,
       all_versions,
       "chain",
       {{5, of(1)}, {8, segments(8, 5)}, {6, segments(24, 13, 4)}},
       {{5, of(2)}, {8, segments(8, 4)}, {6, segments(24, 12, 4)}}},
      {"bcast",
       8,
       since_4,
       "basic_linear",
       {{8, of(7)}, {5, of(16, 4)}, {6, of(0)}},
       {{8, of(8)}, {5, of(20, 4)}}},
      {"bcast",
       9,
       since_4,
       "basic_linear",
       {{8, of(7)}, {5, of(16, 4)}, {6, of(0)}},
       {{8, of(8)}, {5, of(20, 4)}}},
      {"reduce",
       7,
       since_4,
       "linear",
       {{8, of(7)}, {9, of(7)}, {15, of(56, 8)}, {8, in_order(800)}},
       {{8, of(8)}, {9, of(8)}, {15, of(64, 8)}}},
      {"reduce_scatter_block",
       3,
       since_4,
       "basic_linear",
       {{8, in_order(8)}, {6, in_order(8)}},
       {{8, of(8)}, {6, of(8)}}},
  };
  return all;
}

const Algorithm* in_version(std::string_view version, std::string_view collective, int id) {
  for (const Algorithm* each : algorithms_of(collective))
    if (each->id == id && selection::is_in_set(version, *each)) return each;
  return nullptr;
}

using Traffic = std::map<std::pair<int, int>, std::pair<std::int64_t, std::int64_t>>;

Traffic traffic_of(const Algorithm& algorithm, const Side& side) {
  static const auto machine = tutti::tests::test_machine(64);
  const auto placement = tutti::tests::test_placement(side.procs);
  tutti::engines::TrafficCounter counter;
  const auto outcome = tutti::engines::run_ideal(
      {.machine = machine,
       .placement = placement,
       .program = [&](tutti::runtime::Rank& me) { return algorithm.program(me, side.call); },
       .observers = {&counter}});
  CHECK(outcome.problems == std::vector<std::string>{});
  Traffic traffic;
  for (const auto& row : counter.rows())
    traffic[{row.source, row.destination}] = {row.messages, row.bytes};
  return traffic;
}

// split_binary_tree falls back to a chain of fan-out 1.
CollectiveArgs args_of_other(const Fallback& fallback, CollectiveArgs call) {
  if (fallback.runs == "chain") call.fanout = 1;
  return call;
}

}  // namespace

TEST_CASE("every version's algorithms fall back exactly where the library's do") {
  for (const Fallback& each : fallbacks())
    for (const std::string_view version : each.versions) {
      CAPTURE(version);
      CAPTURE(each.collective);
      CAPTURE(each.id);
      const Algorithm* algorithm = in_version(version, each.collective, each.id);
      const Algorithm* other = find_algorithm(each.collective, each.runs);
      REQUIRE(algorithm != nullptr);
      REQUIRE(other != nullptr);
      for (const Side& side : each.falls_back) {
        CAPTURE(side.procs);
        CAPTURE(side.call.message_bytes);
        CHECK(algorithm->falls_back_to({side.procs, side.call}) == each.runs);
        const Side same{side.procs, args_of_other(each, side.call)};
        CHECK((traffic_of(*algorithm, side) == traffic_of(*other, same)));
      }
      for (const Side& side : each.runs_itself) {
        CAPTURE(side.procs);
        CAPTURE(side.call.message_bytes);
        CHECK(algorithm->falls_back_to({side.procs, side.call}).empty());
        const Side same{side.procs, args_of_other(each, side.call)};
        if (side.procs > 2) CHECK((traffic_of(*algorithm, side) != traffic_of(*other, same)));
      }
    }
}

TEST_CASE("the segmented ring falls back with fewer elements than a segment for each process") {
  const Algorithm* ring = in_version("ompi-4.1", "allreduce", 5);
  CHECK(ring->falls_back_to({8, segments(799, 100)}) == "ring");
  CHECK(ring->falls_back_to({8, segments(800, 100)}).empty());
  CHECK(ring->falls_back_to({5, segments(80, 16, 4)}).empty());
}

TEST_CASE("the table has every algorithm of Open MPI that may fall back") {
  for (const Algorithm& algorithm : tutti::algorithms::all_algorithms()) {
    if (algorithm.id == 0 || algorithm.falls_back_to == nullptr) continue;
    for (const std::string_view version : all_versions) {
      if (!selection::is_in_set(version, algorithm)) continue;
      CAPTURE(version);
      CAPTURE(algorithm.collective);
      CAPTURE(algorithm.name);
      CHECK(std::ranges::any_of(fallbacks(), [&](const Fallback& each) {
        return each.collective == algorithm.collective && each.id == algorithm.id &&
               std::ranges::find(each.versions, version) != each.versions.end();
      }));
    }
  }
}

TEST_CASE("the rules of a version choose its algorithm: 1,024 elements for 2,048 processes") {
  const auto runs = [](std::string_view rules) {
    const auto choice = selection::choose(
        rules,
        {.collective = "allreduce", .procs = 2048, .message_bytes = 16384, .elements = 1024});
    REQUIRE(choice);
    CHECK(choice->algorithm->id == 6);
    return tutti::algorithms::runs_as(*choice->algorithm, {2048, of(16384, 16)});
  };
  CHECK(runs("ompi-4.1") == "basic_linear");
  CHECK(runs("ompi-5.0") == "basic_linear");
  CHECK(runs("ompi-6").empty());
}
