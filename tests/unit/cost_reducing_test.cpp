// SPDX-License-Identifier: BSD-3-Clause
// The costs of the collectives that reduce, in Hockney's model and LogGP, against manual sums:
// Table 4.1 omits them.
#include <doctest/doctest.h>

#include "algorithms/counts.hpp"
#include "algorithms/selection/decision.hpp"
#include "tests/support/hand_costs.hpp"
#include "tests/support/plain_algorithms.hpp"

namespace {

using namespace tutti;
using algorithms::CollectiveArgs;
using tests::hand::check;

// Terms of the algorithm that Open MPI's rules choose for a collective inside another one.
template <class Terms>
double decided(std::string_view collective, int procs, const CollectiveArgs& call, Terms terms) {
  const auto choice = algorithms::selection::decided(collective, procs, call);
  return tests::hand::cost(*choice.algorithm, procs, choice.args, terms);
}

TEST_CASE("the linear reduction receives and combines one vector after the other") {
  for (const int P : {2, 3, 8, 1000})
    check("reduce", "linear", P, {.message_bytes = 1000},
          [P](auto t) { return t.hop(1000) + (P - 2) * t.next(1000) + (P - 1) * t.combine(1000); });
}

TEST_CASE("tree reductions cost the longest path to the root, then the pace of the root") {
  const CollectiveArgs whole{.message_bytes = 1000, .fanout = 4};
  check("reduce", "pipeline", 9, whole, [](auto t) { return 8 * (t.hop(1000) + t.combine(1000)); });
  check("reduce", "chain", 9, whole,
        [](auto t) { return 2 * t.hop(1000) + 3 * t.next(1000) + 5 * t.combine(1000); });
  check("reduce", "binary", 9, whole,
        [](auto t) { return 3 * (t.hop(1000) + t.next(1000) + 2 * t.combine(1000)); });
  check("reduce", "binomial", 9, whole, [](auto t) { return 4 * (t.hop(1000) + t.combine(1000)); });

  const CollectiveArgs cut{.message_bytes = 10000, .segment_bytes = 1000, .fanout = 4};
  check("reduce", "pipeline", 9, cut, [](auto t) {
    return 8 * (t.hop(1000) + t.combine(1000)) + 9 * (t.next(1000) + t.combine(1000));
  });
  check("reduce", "chain", 9, cut, [](auto t) {
    return 2 * t.hop(1000) + 3 * t.next(1000) + 5 * t.combine(1000) +
           9 * 4 * (t.next(1000) + t.combine(1000));
  });
  check("reduce", "binary", 9, cut, [](auto t) {
    return 3 * (t.hop(1000) + t.next(1000) + 2 * t.combine(1000)) +
           9 * 2 * (t.next(1000) + t.combine(1000));
  });
  check("reduce", "binomial", 9, cut, [](auto t) {
    return 4 * (t.hop(1000) + t.combine(1000)) + 9 * 4 * (t.next(1000) + t.combine(1000));
  });
}

TEST_CASE("the in-order tree costs one more hop for any root but the last rank") {
  const auto up = [](auto t) { return 3 * (t.hop(1000) + t.next(1000) + 2 * t.combine(1000)); };
  check("reduce", "in-order_binary", 9, {.message_bytes = 1000, .root = 8}, up);
  for (const int root : {0, 5})
    check("reduce", "in-order_binary", 9, {.message_bytes = 1000, .root = root},
          [&](auto t) { return up(t) + t.hop(1000); });
}

// Vector halving of 8000 bytes among 8 ranks, and its fold of one more.
template <class Terms>
double halving(Terms t) {
  return t.exchange(4000) + t.combine(4000) + t.exchange(2000) + t.combine(2000) +
         t.exchange(1000) + t.combine(1000);
}
template <class Terms>
double fold(Terms t) {
  return t.exchange(4000) + t.combine(4000) + t.hop(4000);
}

TEST_CASE("Rabenseifner's algorithms halve the vector, then gather the parts") {
  const CollectiveArgs call{.message_bytes = 8000};
  const auto gather = [](auto t) { return t.hop(4000) + t.hop(2000) + t.hop(1000); };
  check("reduce", "rabenseifner", 8, call, [&](auto t) { return halving(t) + gather(t); });
  check("reduce", "rabenseifner", 9, call,
        [&](auto t) { return fold(t) + halving(t) + gather(t); });
  check("reduce", "rabenseifner", 9, {.message_bytes = 8000, .root = 1},
        [&](auto t) { return fold(t) + halving(t) + t.hop(1000) + gather(t); });
  check("allreduce", "rabenseifner", 8, call,
        [](auto t) { return halving(t) + t.exchange(1000) + t.exchange(2000) + t.exchange(4000); });
  check("allreduce", "rabenseifner", 9, call, [](auto t) {
    return fold(t) + halving(t) + t.exchange(1000) + t.exchange(2000) + t.exchange(4000) +
           t.hop(8000);
  });
}

TEST_CASE("allreduces by two collectives cost both") {
  const CollectiveArgs call{.message_bytes = 1000};
  check("allreduce", "basic_linear", 5, call,
        [](auto t) { return 2 * t.hop(1000) + 2 * 3 * t.next(1000) + 4 * t.combine(1000); });
  for (const int P : {3, 8, 100}) {
    check("allreduce", "nonoverlapping", P, call,
          [&](auto t) { return decided("reduce", P, call, t) + decided("bcast", P, call, t); });
    const CollectiveArgs even{.message_bytes = 1000 * P};
    check("allreduce", "reduce_scatter_allgather", P, even, [&](auto t) {
      return decided("reduce_scatter", P, even, t) + decided("allgather", P, call, t);
    });
  }
}

TEST_CASE("recursive doubling exchanges whole vectors") {
  const CollectiveArgs call{.message_bytes = 1000};
  const auto doubling = [](auto t) { return 3 * (t.exchange(1000) + t.combine(1000)); };
  check("allreduce", "recursive_doubling", 8, call, doubling);
  check("allreduce", "recursive_doubling", 9, call,
        [&](auto t) { return doubling(t) + 2 * t.hop(1000) + t.combine(1000); });
}

TEST_CASE("rings pass blocks around, in phases if they are segmented") {
  check("allreduce", "ring", 8, {.message_bytes = 8000},
        [](auto t) { return 7 * (2 * t.hop(1000) + t.combine(1000)); });
  check("allreduce", "segmented_ring", 8, {.message_bytes = 8000, .segment_bytes = 500},
        [](auto t) { return 7 * (2 * (t.hop(500) + t.combine(500)) + t.hop(1000)); });
  check("reduce_scatter", "ring", 8, {.message_bytes = 8000},
        [](auto t) { return 7 * (t.hop(1000) + t.combine(1000)); });
  const algorithms::Counts counts({0, 6000, 100, 0});
  check("reduce_scatter", "ring", 4, {.message_bytes = 6100, .counts = &counts},
        [](auto t) { return 3 * (t.hop(6000) + t.combine(6000)); });
}

TEST_CASE("algorithms with too few elements to split have the costs of their fallback") {
  const CollectiveArgs little{.message_bytes = 7};
  const auto linear = [](auto t) { return t.hop(7) + 6 * t.next(7) + 7 * t.combine(7); };
  check("reduce", "rabenseifner", 8, little, linear);
  check("allreduce", "rabenseifner", 8, little,
        [&](auto t) { return linear(t) + t.hop(7) + 6 * t.next(7); });
  for (const char* ring : {"ring", "segmented_ring"})
    check("allreduce", ring, 8, little, [](auto t) { return 3 * (t.exchange(7) + t.combine(7)); });
}

TEST_CASE("reduce_scatters by halving cost the longest runs of blocks") {
  // 9 ranks fold to 8, the first of which represents two blocks.
  const auto folded = [](auto t) {
    return t.hop(9000) + t.combine(9000) + t.exchange(5000) + t.combine(5000) + t.exchange(3000) +
           t.combine(3000) + t.exchange(2000) + t.combine(2000) + t.hop(1000);
  };
  const auto swap = [](auto t) { return t.exchange(1000); };
  check("reduce_scatter", "recursive_halving", 8, {.message_bytes = 8000},
        [](auto t) { return halving(t); });
  check("reduce_scatter", "butterfly", 8, {.message_bytes = 8000},
        [&](auto t) { return halving(t) + swap(t); });
  check("reduce_scatter", "recursive_halving", 9, {.message_bytes = 9000}, folded);
  check("reduce_scatter", "butterfly", 9, {.message_bytes = 9000},
        [&](auto t) { return folded(t) + swap(t); });
  check("reduce_scatter_block", "recursive_halving", 9, {.message_bytes = 1000}, folded);
  check("reduce_scatter_block", "butterfly", 8, {.message_bytes = 1000},
        [](auto t) { return halving(t); });
  check("reduce_scatter_block", "butterfly", 9, {.message_bytes = 1000},
        [&](auto t) { return folded(t) + swap(t); });
  const algorithms::Counts counts({0, 0, 600, 100});
  check("reduce_scatter", "recursive_halving", 4, {.message_bytes = 700, .counts = &counts},
        [](auto t) { return t.exchange(700) + t.combine(700) + t.exchange(600) + t.combine(600); });
}

TEST_CASE("reduce_scatter_block by recursive doubling omits more blocks in each step") {
  const auto step = [](auto t, double m) { return t.exchange(m) + t.combine(m); };
  check("reduce_scatter_block", "recursive_doubling", 4, {.message_bytes = 1000},
        [&](auto t) { return step(t, 3000) + step(t, 2000); });
  check("reduce_scatter_block", "recursive_doubling", 3, {.message_bytes = 1000},
        [&](auto t) { return step(t, 2000) + step(t, 1000) + t.hop(2000); });
}

TEST_CASE("reduce_scatters by a reduction and a scatter cost both") {
  const CollectiveArgs block{.message_bytes = 1000};
  for (const int P : {3, 8, 100}) {
    const CollectiveArgs whole{.message_bytes = 1000 * P};
    check("reduce_scatter_block", "basic_linear", P, block,
          [&](auto t) { return decided("reduce", P, whole, t) + decided("scatter", P, block, t); });
    check("reduce_scatter", "non-overlapping", P, whole, [&](auto t) {
      return decided("reduce", P, whole, t) + decided("scatterv", P, block, t);
    });
  }
}

TEST_CASE("scans cost a chain of hops, or exchanges with two operations each") {
  const CollectiveArgs call{.message_bytes = 1000};
  check("scan", "linear", 5, call, [](auto t) { return 4 * (t.hop(1000) + t.combine(1000)); });
  check("exscan", "linear", 5, call, [](auto t) { return 4 * t.hop(1000) + 3 * t.combine(1000); });
  check("scan", "recursive_doubling", 5, call,
        [](auto t) { return 3 * t.exchange(1000) + 6 * t.combine(1000); });
  check("exscan", "recursive_doubling", 5, call,
        [](auto t) { return 3 * t.exchange(1000) + 5 * t.combine(1000); });
}

TEST_CASE("a reduction of no data or of a single rank costs nothing") {
  for (const algorithms::Algorithm* each : tests::plain_algorithms()) {
    if (!algorithms::find_collective(each->collective)->reduces) continue;
    check(each->collective, each->name, 1, {.message_bytes = 1000}, [](auto) { return 0.0; });
    check(each->collective, each->name, 9, {.message_bytes = 0}, [](auto) { return 0.0; });
  }
}

}  // namespace
