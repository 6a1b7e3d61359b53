// SPDX-License-Identifier: BSD-3-Clause
// Bine trees and butterflies, against tables of HLC-Lab/pico (libbine_utils_bitmaps.c, 413bc5d0)
// and against the definition by partners.
#include "algorithms/bine.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace tutti;
using namespace tutti::algorithms;

namespace {

using bine::Distances;
using bine::Numbering;

std::vector<int> numbers_of(Numbering numbering, RankId procs) {
  const auto numbers = bine::Numbers::of(numbering, procs);
  std::vector<int> found;
  for (RankId rank = 0; rank < procs; ++rank) found.push_back(numbers->number(rank));
  return found;
}

}  // namespace

TEST_CASE("numbers are those of the published tables") {
  using Table = std::vector<int>;
  CHECK(numbers_of(Numbering::remapped, 2) == Table{0, 1});
  CHECK(numbers_of(Numbering::remapped, 4) == Table{0, 2, 3, 1});
  CHECK(numbers_of(Numbering::remapped, 8) == Table{0, 4, 6, 1, 3, 7, 5, 2});
  CHECK(numbers_of(Numbering::remapped, 16) ==
        Table{0, 8, 12, 2, 5, 14, 9, 7, 3, 11, 15, 1, 6, 13, 10, 4});
  CHECK(numbers_of(Numbering::by_smallest, 4) == Table{0, 2, 3, 1});
  CHECK(numbers_of(Numbering::by_smallest, 8) == Table{0, 4, 6, 1, 2, 7, 5, 3});
  CHECK(numbers_of(Numbering::by_smallest, 16) ==
        Table{0, 8, 12, 2, 4, 14, 9, 6, 3, 10, 15, 1, 7, 13, 11, 5});
}

TEST_CASE("partners differ in the bit of the step and agree in all bits of earlier steps") {
  for (const Numbering numbering : {Numbering::remapped, Numbering::by_smallest})
    for (const RankId procs : {2, 4, 32, 256, 1024}) {
      const auto numbers = bine::Numbers::of(numbering, procs);
      const int steps = bine::steps_of(procs);
      for (RankId rank = 0; rank < procs; ++rank) {
        CHECK(numbers->rank(numbers->number(rank)) == rank);
        for (int step = 0; step < steps; ++step) {
          const RankId partner = bine::partner(rank, step, procs);
          CHECK(bine::partner(partner, step, procs) == rank);
          const int shift = steps - 1 - step;
          CHECK((numbers->number(rank) >> shift ^ numbers->number(partner) >> shift) == 1);
        }
      }
    }
}

TEST_CASE("a tree reaches each rank once, in the step of the first partner that has the message") {
  for (const Distances distances : {Distances::doubling, Distances::halving})
    for (const RankId procs : {1, 2, 8, 64, 512}) {
      const int steps = bine::steps_of(procs);
      std::vector<RankId> parents(static_cast<std::size_t>(procs), trees::no_parent);
      std::set<RankId> reached{0};
      for (int i = 0; i < steps; ++i) {
        const int step = distances == Distances::doubling ? i : steps - 1 - i;
        for (const RankId rank : std::set<RankId>(reached)) {
          const RankId partner = bine::partner(rank, step, procs);
          CHECK(reached.insert(partner).second);
          parents[static_cast<std::size_t>(partner)] = rank;
        }
      }
      CHECK(reached.size() == static_cast<std::size_t>(procs));
      std::size_t children = 0;
      for (RankId rank = 0; rank < procs; ++rank) {
        const auto node = bine::tree({.rank = rank, .procs = procs, .root = 0}, distances);
        CHECK(node.parent == parents[static_cast<std::size_t>(rank)]);
        children += node.children.size();
        for (const RankId child : node.children)
          CHECK(parents[static_cast<std::size_t>(child)] == rank);
      }
      CHECK(children == static_cast<std::size_t>(procs - 1));
    }
}

TEST_CASE("a tree of another root is the same tree, shifted") {
  const auto of_root_0 = bine::tree({.rank = 5, .procs = 16, .root = 0}, Distances::halving);
  const auto of_root_9 = bine::tree({.rank = 14, .procs = 16, .root = 9}, Distances::halving);
  CHECK(of_root_9.parent == (of_root_0.parent + 9) % 16);
  REQUIRE(of_root_0.children.size() == of_root_9.children.size());
  for (std::size_t i = 0; i < of_root_0.children.size(); ++i)
    CHECK(of_root_9.children[i] == (of_root_0.children[i] + 9) % 16);
}

TEST_CASE("for any even number of ranks each block leaves a rank once, and only for later steps") {
  for (RankId procs = 2; procs <= 300; procs += 2) {
    const auto departures = bine::Departures::of(procs);
    std::vector<int> step_of(static_cast<std::size_t>(procs), bine::steps_of(procs));
    std::size_t leaving = 0;
    for (int step = 0; step < bine::steps_of(procs); ++step) {
      for (const RankId b : departures->leaving(step)) step_of[static_cast<std::size_t>(b)] = step;
      leaving += departures->leaving(step).size();
      CHECK_FALSE(departures->leaving(step).empty());
    }
    CHECK(leaving == static_cast<std::size_t>(procs - 1));
    for (RankId b = 1; b < procs; ++b) {
      const int step = step_of[static_cast<std::size_t>(b)];
      const RankId partner = bine::partner(0, step, procs);
      const RankId seen = (partner - b + procs) % procs;  // the partner is odd
      CHECK(step_of[static_cast<std::size_t>(seen)] > step);
    }
  }
}

TEST_CASE("numbers exist for powers of two only") {
  for (const RankId procs : {3, 6, 12, 129})
    for (const Numbering numbering : {Numbering::remapped, Numbering::by_smallest})
      CHECK_THROWS_WITH(bine::Numbers::of(numbering, procs),
                        doctest::Contains("must be a power of two"));
}
