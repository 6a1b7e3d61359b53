// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/trees.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/check.hpp"

namespace {

using tutti::algorithms::trees::no_parent;
using tutti::algorithms::trees::Node;
using tutti::algorithms::trees::Position;
using tutti::runtime::RankId;
namespace trees = tutti::algorithms::trees;

struct Kind {
  std::string name;
  std::function<Node(const Position&)> node;
};

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds{{"binary", trees::binary},
                          {"balanced binomial", trees::balanced_binomial},
                          {"in-order binomial", trees::in_order_binomial},
                          {"pipeline", trees::pipeline}};
  for (const int radix : {2, 3, 4, 5, 7, 200})
    kinds.push_back({"knomial " + std::to_string(radix),
                     [radix](const Position& at) { return trees::knomial(at, radix); }});
  for (const int fanout : {-1, 0, 1, 2, 3, 4, 5, 31, 32, 33, 200})
    kinds.push_back({"chain " + std::to_string(fanout),
                     [fanout](const Position& at) { return trees::chain(at, fanout); }});
  return kinds;
}

// The ranks of the subtree below `rank`, including itself. Fails if a child names another parent or
// occurs twice.
void collect(const Kind& kind, const Position& at, std::set<RankId>& reached) {
  REQUIRE(reached.insert(at.rank).second);
  for (const RankId child : kind.node(at).children) {
    REQUIRE((0 <= child && child < at.procs));
    const Position below{.rank = child, .procs = at.procs, .root = at.root};
    REQUIRE(kind.node(below).parent == at.rank);
    collect(kind, below, reached);
  }
}

void check_tree(const Kind& kind, RankId procs, RankId root) {
  CAPTURE(kind.name);
  CAPTURE(procs);
  CAPTURE(root);
  const Position at_root{.rank = root, .procs = procs, .root = root};
  CHECK(kind.node(at_root).parent == no_parent);
  std::set<RankId> reached;
  collect(kind, at_root, reached);
  CHECK(reached.size() == static_cast<std::size_t>(procs));
}

TEST_CASE("every tree reaches every rank once, and parents and children agree") {
  std::vector<RankId> counts{127, 128, 129};
  for (RankId procs = 1; procs <= 65; ++procs) counts.push_back(procs);
  for (const Kind& kind : all_kinds())
    for (const RankId procs : counts)
      for (const RankId root : std::set<RankId>{0, 1 % procs, procs / 2, procs - 1})
        check_tree(kind, procs, root);
}

TEST_CASE("every root gives a valid tree") {
  for (const Kind& kind : all_kinds())
    for (RankId procs = 1; procs <= 17; ++procs)
      for (RankId root = 0; root < procs; ++root) check_tree(kind, procs, root);
}

struct Example {
  Kind kind;
  RankId procs;
  RankId rank;
  RankId parent;
  std::vector<RankId> children;
};

Kind chain(int fanout) {
  return {"chain", [fanout](const Position& at) { return trees::chain(at, fanout); }};
}
Kind knomial(int radix) {
  return {"knomial", [radix](const Position& at) { return trees::knomial(at, radix); }};
}

// Worked out by hand from coll_base_topo.c; the k-nomial ones are the pictures in its comments.
std::vector<Example> examples() {
  const Kind binary{"binary", trees::binary};
  const Kind balanced{"balanced binomial", trees::balanced_binomial};
  const Kind in_order{"in-order binomial", trees::in_order_binomial};
  return {
      {binary, 16, 0, no_parent, {1, 2}},
      {binary, 16, 1, 0, {3, 5}},
      {binary, 16, 2, 0, {4, 6}},
      {binary, 16, 3, 1, {7, 11}},
      {binary, 16, 5, 1, {9, 13}},
      {binary, 16, 6, 2, {10, 14}},
      {binary, 16, 14, 6, {}},
      {binary, 8, 3, 1, {7}},
      {balanced, 16, 0, no_parent, {1, 2, 4, 8}},
      {balanced, 16, 1, 0, {3, 5, 9}},
      {balanced, 16, 3, 1, {7, 11}},
      {balanced, 11, 3, 1, {7}},
      {balanced, 16, 12, 4, {}},
      {in_order, 16, 0, no_parent, {1, 2, 4, 8}},
      {in_order, 16, 8, 0, {9, 10, 12}},
      {in_order, 11, 8, 0, {9, 10}},
      {in_order, 16, 6, 4, {7}},
      {in_order, 16, 7, 6, {}},
      {knomial(2), 10, 0, no_parent, {8, 4, 2, 1}},
      {knomial(2), 10, 4, 0, {6, 5}},
      {knomial(2), 10, 8, 0, {9}},
      {knomial(3), 10, 0, no_parent, {9, 3, 6, 1, 2}},
      {knomial(3), 10, 3, 0, {4, 5}},
      {knomial(4), 10, 0, no_parent, {4, 8, 1, 2, 3}},
      {knomial(4), 10, 8, 0, {9}},
      {knomial(4), 10, 7, 4, {}},
      {chain(1), 4, 0, no_parent, {1}},
      {chain(1), 4, 2, 1, {3}},
      {chain(4), 16, 0, no_parent, {1, 5, 9, 13}},
      {chain(4), 16, 8, 7, {}},
      {chain(4), 16, 13, 0, {14}},
      {chain(4), 11, 0, no_parent, {1, 4, 7, 9}},
      {chain(4), 11, 6, 5, {}},
      {chain(4), 11, 7, 0, {8}},
      {chain(4), 11, 10, 9, {}},
      {chain(4), 4, 0, no_parent, {1, 2, 3}},
      {chain(100), 40, 39, 0, {}},
      {chain(100), 40, 14, 13, {}},
      {chain(100), 40, 13, 0, {14}},
  };
}

TEST_CASE("the trees equal those of Open MPI") {
  for (const Example& example : examples()) {
    CAPTURE(example.kind.name);
    CAPTURE(example.procs);
    CAPTURE(example.rank);
    const Node node = example.kind.node({.rank = example.rank, .procs = example.procs, .root = 0});
    CHECK(node.parent == example.parent);
    CHECK(node.children == example.children);
  }
}

TEST_CASE("a chain has at most 32 lines") {
  CHECK(trees::chain({.rank = 0, .procs = 100, .root = 0}, 50).children.size() == 32);
  CHECK(trees::effective_fanout(100, 50) == 32);
  CHECK(trees::effective_fanout(5, 50) == 4);
  CHECK(trees::effective_fanout(5, 0) == 1);
  CHECK(trees::effective_fanout(1, 4) == 0);
}

TEST_CASE("ranks count from the root and wrap around") {
  const Node node = trees::binary({.rank = 6, .procs = 7, .root = 5});  // v = 1
  CHECK(node.parent == 5);
  CHECK(node.children == std::vector<RankId>{1, 3});  // v = 3, 5
}

TEST_CASE("in-order binomial subtrees are contiguous") {
  const Kind in_order{"in-order binomial", trees::in_order_binomial};
  for (const RankId procs : {7, 16, 23})
    for (const RankId child : trees::in_order_binomial({.rank = 0, .procs = procs}).children) {
      std::set<RankId> subtree;
      collect(in_order, {.rank = child, .procs = procs}, subtree);
      CHECK(*subtree.begin() == child);
      CHECK(*subtree.rbegin() == std::min(2 * child, procs) - 1);
      CHECK(subtree.size() == static_cast<std::size_t>(std::min(2 * child, procs) - child));
    }
}

TEST_CASE("the last of two thousand million ranks has a position in every tree") {
  const RankId procs = 2'000'000'000;
  for (const Kind& kind : all_kinds()) {
    CAPTURE(kind.name);
    const Node last = kind.node({.rank = procs - 1, .procs = procs});
    CHECK((0 <= last.parent && last.parent < procs - 1));
    CHECK(last.children.empty());
  }
}

TEST_CASE("a radix below 2 is invalid for a k-nomial tree") {
  for (const int radix : {-1, 0, 1})
    CHECK_THROWS_AS(trees::knomial({.rank = 0, .procs = 4}, radix), tutti::BrokenInvariant);
}

// The runs that end at a rank and at its parent's first child determine the order of the operands.
TEST_CASE("the in-order binary tree reduces runs of neighbours, and its root is the last rank") {
  for (RankId procs = 1; procs <= 70; ++procs) {
    std::vector<RankId> first(procs);  // of the run whose root is the rank
    for (RankId rank = 0; rank < procs; ++rank) {
      CAPTURE(procs);
      CAPTURE(rank);
      const Node node = trees::in_order_binary({.rank = rank, .procs = procs, .root = procs / 2});
      CHECK((node.parent == no_parent) == (rank == procs - 1));
      RankId below = rank - 1;  // the last rank of the next child's run
      for (const RankId child : node.children) {
        CHECK(child == below);
        CHECK(trees::in_order_binary({.rank = child, .procs = procs}).parent == rank);
        below = first[child] - 1;
      }
      first[rank] = below + 1;
      CHECK(node.children.size() <= 2);
    }
    CHECK(first[procs - 1] == 0);
  }
  CHECK(trees::in_order_binary({.rank = 7, .procs = 8}).children == std::vector<RankId>{6, 3});
  CHECK(trees::in_order_binary({.rank = 3, .procs = 8}).children == std::vector<RankId>{2, 1});
}

}  // namespace
