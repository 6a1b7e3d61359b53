// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a call: their positions, and the longest runs of them.
#include "algorithms/rank_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using tutti::Bytes;
using tutti::algorithms::CollectiveArgs;
using tutti::algorithms::Counts;
using tutti::algorithms::RankBlocks;

TEST_CASE("equal blocks are stored one after the other") {
  const RankBlocks blocks = RankBlocks::of_blocks({.message_bytes = 10}, 4);
  CHECK(blocks.equal());
  CHECK(blocks.total() == 40);
  CHECK(blocks.offset(3) == 30);
  CHECK(blocks.longest() == 10);
  CHECK(blocks.longest_run(3) == 30);
  CHECK(blocks.cyclic_run_bytes(3, 2) == 20);
}

TEST_CASE("a run of blocks wraps around to the first one") {
  const Counts counts({10, 0, 30, 20});
  const RankBlocks blocks = RankBlocks::of_blocks({.counts = &counts}, 4);
  CHECK_FALSE(blocks.equal());
  CHECK(blocks.cyclic_run_bytes(0, 4) == 60);
  CHECK(blocks.cyclic_run_bytes(2, 2) == 50);
  CHECK(blocks.cyclic_run_bytes(3, 3) == 30);
  CHECK(blocks.longest() == 30);
  CHECK(blocks.longest_run(2) == 50);
  CHECK(blocks.longest_run(3) == 60);
}

TEST_CASE("the longest runs of an evenly distributed vector contain the longer blocks") {
  // 11 elements of 4 bytes among 4 ranks: 3, 3, 3, 2.
  const RankBlocks blocks = RankBlocks::of_vector({.message_bytes = 44, .element_bytes = 4}, 4);
  CHECK_FALSE(blocks.equal());
  for (std::int64_t count = 1; count <= 4; ++count) {
    Bytes longest = 0;
    for (std::int64_t first = 0; first < 4; ++first)
      longest = std::max(longest, blocks.cyclic_run_bytes(first, count));
    CHECK(blocks.longest_run(count) == longest);
  }
}

}  // namespace
