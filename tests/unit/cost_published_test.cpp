// SPDX-License-Identifier: BSD-3-Clause
// The costs of the algorithms of Open MPI 5.0 and main, of Bine and of Swing, over circulant
// graphs, and of MPICH's main branch, against sums by hand.
#include <doctest/doctest.h>

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"

using namespace tutti;
using namespace tutti::algorithms;

namespace {

// Arbitrary costs, by which each kind of message can be distinguished.
class TestCost final : public models::MessageCost {
 public:
  TestCost() : MessageCost(4) {}
  Seconds hop(Bytes bytes) const override { return 1e6 + static_cast<double>(bytes); }
  Seconds next(Bytes bytes) const override { return 1e3 + 3 * static_cast<double>(bytes); }
  Seconds exchange(Bytes bytes) const override { return 1e9 + 7 * static_cast<double>(bytes); }
};
const TestCost in;

Seconds cost(std::string_view collective, std::string_view name, int procs,
             const CollectiveArgs& call) {
  return find_algorithm(collective, name)
      ->cost({.procs = procs, .call = call, .combine_Bps = 4}, in);
}

}  // namespace

TEST_CASE("allgathers of Open MPI 5.0 and main") {
  const CollectiveArgs call{.message_bytes = 100};
  // P = 6: a block to rank + 4, then the own one of two to rank + 2, then all three to rank + 1.
  CHECK(cost("allgather", "sparbit", 6, call) == 3 * in.exchange(100) + 2 * in.next(100));
  CHECK(cost("allgather", "sparbit", 8, call) == 3 * in.exchange(100) + 4 * in.next(100));
  CHECK(cost("allgatherv", "sparbit", 6, call) == cost("allgather", "sparbit", 6, call));
  CHECK(cost("allgather", "direct-messaging", 6, call) == in.hop(100) + 4 * in.next(100));
  CHECK(cost("allgather", "k_bruck", 10, {.message_bytes = 100, .fanout = 3}) ==
        in.exchange(100) + in.next(100) + in.exchange(300) + in.next(300) + in.exchange(100));
  CHECK(cost("allgather", "k_bruck", 10, call) == cost("allgather", "bruck", 10, call));
}

TEST_CASE("reductions of Open MPI 5.0 and main") {
  // The tree of radix 4 with 10 ranks: 0 has 4, 8, 1, 2, 3; 4 has 5, 6, 7.
  CHECK(cost("reduce", "knomial", 10, {.message_bytes = 100, .fanout = 4}) ==
        2 * in.hop(100) + 3 * in.next(100) + (5 + 3) * in.combine(100));
  const CollectiveArgs vector{.message_bytes = 100};
  const auto gathered = cost("allgather", "recursive_doubling", 8, vector);
  CHECK(cost("allreduce", "allgather_reduce", 8, vector) == gathered + 7 * in.combine(100));
}

TEST_CASE("trees of Bine") {
  for (const char* name : {"bine_lat", "bine_lat_reversed", "bine_lat_new", "bine_lat_i_new"})
    CHECK(cost("bcast", name, 16, {.message_bytes = 100}) == 4 * in.hop(100));
  CHECK(cost("reduce", "bine_lat", 16, {.message_bytes = 100}) ==
        4 * (in.hop(100) + in.combine(100)));
  for (const char* collective : {"gather", "scatter"})
    CHECK(cost(collective, "bine", 8, {.message_bytes = 100}) ==
          in.hop(100) + in.hop(200) + in.hop(400));
  CHECK(cost("bcast", "bine_bdw_remap", 8, {.message_bytes = 803}) ==
        in.hop(403) + in.hop(202) + in.hop(101) + in.exchange(403) + in.exchange(202) +
            in.exchange(101));
}

TEST_CASE("butterflies of Bine and Swing") {
  const CollectiveArgs block{.message_bytes = 100};
  const Seconds doubling = in.exchange(100) + in.exchange(200) + in.exchange(400);
  for (const char* name : {"bine_permute_remap", "bine_permute_static", "bine_2_blocks",
                           "bine_2_blocks_dtype", "swing"})
    CHECK(cost("allgather", name, 8, block) == doubling);
  CHECK(cost("allgather", "bine_send_remap", 8, block) == doubling + in.exchange(100));
  CHECK(cost("allgather", "bine_block_by_block", 8, block) ==
        3 * in.exchange(100) + 4 * in.next(100));
  CHECK(cost("alltoall", "bine", 8, block) == 3 * in.exchange(400));
  const CollectiveArgs vector{.message_bytes = 800};
  const Seconds combined = in.combine(400) + in.combine(200) + in.combine(100);
  CHECK(cost("reduce_scatter", "bine_permute_remap", 8, vector) == doubling + combined);
  CHECK(cost("reduce_scatter", "bine_send_remap", 8, vector) ==
        doubling + combined + in.exchange(100));
  CHECK(cost("reduce_scatter", "bine_block_by_block_any_even", 8, vector) ==
        3 * in.exchange(100) + 4 * in.next(100) + 7 * in.combine(100));
  for (const char* name : {"bine_bdw_remap", "bine_bdw_static", "swing_bdw"})
    CHECK(cost("allreduce", name, 8, vector) == 2 * doubling + combined);
  CHECK(cost("reduce", "bine_bdw", 8, vector) ==
        doubling + combined + in.hop(100) + in.hop(200) + in.hop(400));
}

TEST_CASE("a segmented butterfly overlaps operations and messages, and is folded") {
  const CollectiveArgs call{.message_bytes = 800, .segment_bytes = 150};
  // P = 5: four ranks exchange halves of 400 bytes in three segments, then quarters in two.
  CHECK(cost("allreduce", "bine_bdw_remap_segmented", 5, call) ==
        2 * in.hop(800) + in.combine(800) + in.exchange(150) + in.combine(150) +
            2 * (in.next(150) + in.combine(150)) + in.exchange(400) + in.exchange(150) +
            in.combine(150) + in.next(150) + in.combine(150) + in.exchange(200));
}

TEST_CASE("circulant graphs") {
  // P = 6: distances 1, 2, 3; 1, 1 and 3 blocks.
  const CollectiveArgs block{.message_bytes = 100};
  const CollectiveArgs vector{.message_bytes = 600};
  const Seconds exchanged = 2 * in.exchange(100) + in.exchange(300);
  const Seconds combined = 2 * in.combine(100) + in.combine(300);
  for (const char* collective : {"allgather", "allgatherv"})
    CHECK(cost(collective, "circulant", 6, block) == exchanged);
  CHECK(cost("allgather", "circulant", 8, block) == cost("allgather", "bruck", 8, block));
  CHECK(cost("reduce_scatter_block", "circulant", 6, block) == exchanged + combined);
  CHECK(cost("reduce_scatter", "circulant", 6, vector) == exchanged + combined);
  CHECK(cost("allreduce", "circulant", 6, vector) == 2 * exchanged + combined);
  CHECK(cost("reduce", "circulant", 6, vector) ==
        exchanged + combined + 2 * in.hop(100) + in.hop(300));
  const CollectiveArgs segments{.message_bytes = 1000, .segment_bytes = 250};
  CHECK(cost("bcast", "circulant", 6, segments) == (4 - 1 + 3) * in.exchange(250));
  CHECK(cost("bcast", "circ_graph", 6, segments) == (4 - 1 + 3) * in.exchange(250));
  CHECK(cost("reduce", "circ_graph", 6, segments) ==
        (4 - 1 + 3) * (in.exchange(250) + in.combine(250)));
  CHECK(cost("allreduce", "circ_graph", 6, segments) ==
        (4 - 1 + 3) * (2 * in.exchange(250) + in.combine(250)));
  CHECK(cost("allgather", "circ_graph", 6, block) == 3 * in.exchange(100) + 2 * in.next(100));
}

TEST_CASE("exchanges of MPICH for nonblocking calls") {
  const CollectiveArgs block{.message_bytes = 100, .fanout = 3};
  CHECK(cost("allgatherv", "k_brucks", 10, block) == cost("allgather", "k_brucks", 10, block));
  // 9 of 10 ranks take part, one of which represents two: groups of up to 4 and of 2 blocks.
  CHECK(cost("reduce_scatter_block", "recexch", 10, block) ==
        in.hop(1000) + in.combine(1000) + in.hop(100) +
            2 * (in.exchange(400) + in.combine(400) + in.exchange(200) + in.combine(200)));
}
