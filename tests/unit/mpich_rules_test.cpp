// SPDX-License-Identifier: BSD-3-Clause
// The choices of MPICH at every border of its decision trees, written by hand from its sources
// (4.0.2: maint/tuning/coll/mpir/generic.json, src/mpi/coll/src/csel.c; main, 6c28e119:
// src/mpi/coll/coll_selection.json, maint/gen_coll.py).
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/selection/decision.hpp"

namespace {

using tutti::Bytes;
using tutti::algorithms::selection::choose;
using tutti::algorithms::selection::Query;

constexpr std::string_view release = "mpich-4.0";
constexpr std::string_view main_branch = "mpich-main";

std::string chosen(std::string_view rules, const Query& query) {
  const auto choice = choose(rules, query);
  return choice ? std::string(choice->algorithm->name) : choice.error().message;
}

void check(std::string_view rules, const Query& query, std::string_view algorithm) {
  CAPTURE(rules);
  CAPTURE(query.collective);
  CAPTURE(query.procs);
  CAPTURE(query.message_bytes);
  CAPTURE(query.elements);
  CAPTURE(query.commutative);
  CHECK(chosen(rules, query) == algorithm);
}

void check_both(const Query& query, std::string_view algorithm) {
  for (const std::string_view rules : {release, main_branch}) check(rules, query, algorithm);
}

Query vector_of(std::string_view collective, int procs, Bytes bytes) {
  return {.collective = collective, .procs = procs, .message_bytes = bytes, .elements = bytes};
}

const std::vector<int> few{2, 3, 4, 5, 6, 7};
const std::vector<int> powers{16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
const std::vector<int> others{9, 10, 12, 15, 17, 31, 33, 63, 100, 1000, 2047, 4095};

std::vector<int> all_counts() {
  std::vector<int> all = few;
  all.push_back(8);
  all.insert(all.end(), powers.begin(), powers.end());
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

bool is_power(int procs) { return (procs & (procs - 1)) == 0; }

}  // namespace

TEST_CASE("MPICH broadcasts on a binomial tree, or scatters first") {
  const std::string_view binomial = "binomial_mpich";
  const std::string_view doubling = "scatter_recursive_doubling_allgather";
  const std::string_view ring = "scatter_ring_allgather";
  for (const int procs : few)
    for (const Bytes bytes : {1, 12287, 12288, 12289, 524287, 524288, 524289, 1 << 24})
      check_both(vector_of("bcast", procs, bytes), binomial);
  for (const int procs : powers) {
    for (const Bytes bytes : {1, 12287, 12288})
      check_both(vector_of("bcast", procs, bytes), binomial);
    for (const Bytes bytes : {12289, 524287, 524288})
      check_both(vector_of("bcast", procs, bytes), doubling);
    for (const Bytes bytes : {524289, 1 << 24}) check_both(vector_of("bcast", procs, bytes), ring);
  }
  for (const int procs : others) {
    for (const Bytes bytes : {1, 12287, 12288})
      check_both(vector_of("bcast", procs, bytes), binomial);
    for (const Bytes bytes : {12289, 524287, 524288, 524289})
      check_both(vector_of("bcast", procs, bytes), ring);
  }
  // comm_size<8, and comm_size(8), which is <=.
  for (const Bytes bytes : {12289, 524288}) check(release, vector_of("bcast", 8, bytes), doubling);
  check(release, vector_of("bcast", 8, 12288), binomial);
  check(release, vector_of("bcast", 8, 524289), ring);
  for (const Bytes bytes : {12288, 12289, 524288, 524289})
    check(main_branch, vector_of("bcast", 8, bytes), binomial);
}

TEST_CASE("MPICH's allgathers depend on the size of the result") {
  for (const std::string_view collective : {"allgather", "allgatherv"})
    for (const int procs : all_counts()) {
      const std::string_view ring = collective == "allgather" ? "ring" : "ring_mpich";
      const std::string_view before = is_power(procs) ? "recursive_doubling" : "bruck";
      const Bytes border = is_power(procs) ? 524288 : 81920;
      // 4.0 tests <, main <=.
      const Bytes below = (border - 1) / procs;
      const Bytes up_to = border / procs;
      check(release, vector_of(collective, procs, 1), before);
      check(release, vector_of(collective, procs, below), before);
      check(release, vector_of(collective, procs, below + 1), ring);
      check(main_branch, vector_of(collective, procs, 1), before);
      check(main_branch, vector_of(collective, procs, up_to), before);
      check(main_branch, vector_of(collective, procs, up_to + 1), ring);
      check_both(vector_of(collective, procs, 1 << 20), ring);
    }
  CHECK(choose(release, vector_of("allgatherv", 12, 1 << 20))->segment_bytes == 32768);
}

TEST_CASE("MPICH's reductions halve vectors with an element for each rank of a power of two") {
  for (const int procs : all_counts()) {
    int power = 1;
    while (2 * power <= procs) power *= 2;
    const auto of = [&](std::string_view collective, Bytes bytes, Bytes elements) {
      return Query{
          .collective = collective, .procs = procs, .message_bytes = bytes, .elements = elements};
    };
    for (const Bytes bytes : {4, 8})
      check_both(of("allreduce", bytes, bytes), "recursive_doubling");
    check_both(of("allreduce", 16, power - 1), "recursive_doubling");
    check_both(of("allreduce", 16, power), "reduce_scatter_allgather_mpich");
    check_both(of("allreduce", 9, 4096), "reduce_scatter_allgather_mpich");
    for (const Bytes bytes : {1, 2047, 2048})
      check_both(of("reduce", bytes, 4096), "binomial_mpich");
    check_both(of("reduce", 2049, power - 1), "binomial_mpich");
    for (const Bytes bytes : {2049, 1 << 24})
      check_both(of("reduce", bytes, power), "reduce_scatter_gather");
    for (const std::string_view collective : {"allreduce", "reduce"}) {
      Query query = of(collective, 1 << 20, 1 << 20);
      query.commutative = false;
      check_both(query, collective == "reduce" ? "binomial_mpich" : "recursive_doubling");
    }
  }
}

TEST_CASE("MPICH's reduce_scatter halves short vectors and exchanges long ones pairwise") {
  for (const int procs : all_counts()) {
    for (const Bytes bytes : {1, 524287})
      check_both(vector_of("reduce_scatter", procs, bytes), "recursive_halving");
    check(release, vector_of("reduce_scatter", procs, 524288), "pairwise");
    check(main_branch, vector_of("reduce_scatter", procs, 524288), "recursive_halving");
    check_both(vector_of("reduce_scatter", procs, 524289), "pairwise");
    const Bytes below = 524287 / procs;
    check_both(vector_of("reduce_scatter_block", procs, below), "recursive_halving");
    check(release, vector_of("reduce_scatter_block", procs, below + 1), "pairwise");
    check_both(vector_of("reduce_scatter_block", procs, 524288 / procs + 1), "pairwise");

    Query query = vector_of("reduce_scatter", procs, Bytes{100} * procs);
    query.commutative = false;
    check_both(query, is_power(procs) ? "noncommutative" : "recursive_doubling");
    query.has_counts = true;
    check_both(query, "recursive_doubling");
    query.has_counts = false;
    query.elements += 1;  // one rank has more
    check_both(query, "recursive_doubling");
    query = vector_of("reduce_scatter_block", procs, 100);
    query.commutative = false;
    check_both(query, is_power(procs) ? "butterfly" : "recursive_doubling");
  }
}

TEST_CASE("MPICH's alltoall treats 8 ranks as few, although its tree has fewer than 8") {
  std::vector<int> up_to_8 = few;
  up_to_8.push_back(8);
  for (const int procs : up_to_8) {
    for (const Bytes bytes : {1, 255, 256, 257, 32767, 32768})
      check_both(vector_of("alltoall", procs, bytes), "scattered");
    for (const Bytes bytes : {32769, 1 << 20})
      check_both(vector_of("alltoall", procs, bytes), "pairwise_mpich");
  }
  for (const auto& counts : {powers, others})
    for (const int procs : counts) {
      for (const Bytes bytes : {1, 255, 256})
        check_both(vector_of("alltoall", procs, bytes), "modified_bruck");
      for (const Bytes bytes : {257, 32767, 32768})
        check_both(vector_of("alltoall", procs, bytes), "scattered");
      for (const Bytes bytes : {32769, 1 << 20})
        check_both(vector_of("alltoall", procs, bytes), "pairwise_mpich");
    }
}

TEST_CASE("MPICH's other collectives have one algorithm each") {
  for (const int procs : all_counts())
    for (const Bytes bytes : {1, 2048, 1 << 20}) {
      check_both(vector_of("gather", procs, bytes), "binomial");
      check_both(vector_of("scatter", procs, bytes), "binomial");
      check_both(vector_of("gatherv", procs, bytes), "linear_mpich");
      check_both(vector_of("scatterv", procs, bytes), "linear_mpich");
      check_both(vector_of("alltoallv", procs, bytes), "scattered");
      check_both(vector_of("scan", procs, bytes), "recursive_doubling");
      check_both(vector_of("exscan", procs, bytes), "recursive_doubling");
      check(release, vector_of("barrier", procs, 0), "bruck");
      check(main_branch, vector_of("barrier", procs, 0), "k_dissemination");
    }
  CHECK(choose(main_branch, vector_of("barrier", 12, 0))->fanout == 2);
}

TEST_CASE("MPICH 4.0 composes collectives of several ranks on each of several nodes") {
  const auto on_nodes = [](std::string_view collective, int procs, Bytes bytes) {
    Query query = vector_of(collective, procs, bytes);
    query.nodes = {.nodes = 2, .least = 1, .most = std::max(2, procs - 1)};
    return query;
  };
  const std::string_view composed = "hierarchical";
  for (const int procs : few)
    for (const Bytes bytes : {1, 12288, 1 << 20})
      check(release, on_nodes("bcast", procs, bytes), composed);
  for (const int procs : {8, 16, 4096}) {
    for (const Bytes bytes : {1, 12287, 12288, 524287})
      check(release, on_nodes("bcast", procs, bytes), composed);
    check(release, on_nodes("bcast", procs, 524288), "scatter_recursive_doubling_allgather");
    check(release, on_nodes("bcast", procs, 524289), "scatter_ring_allgather");
  }
  for (const int procs : others) {
    check(release, on_nodes("bcast", procs, 12287), composed);
    check(release, on_nodes("bcast", procs, 12288), "binomial_mpich");
    check(release, on_nodes("bcast", procs, 12289), "scatter_ring_allgather");
  }
  for (const int procs : all_counts()) {
    for (const std::string_view collective : {"allreduce", "reduce", "barrier"})
      check(release, on_nodes(collective, procs, 2049), composed);
    for (const std::string_view collective : {"allreduce", "reduce"}) {
      Query query = on_nodes(collective, procs, 2049);
      query.commutative = false;
      check(release, query, collective == "reduce" ? "binomial_mpich" : "recursive_doubling");
    }
    check(release, on_nodes("allgather", procs, 1 << 20), "ring");
    check(main_branch, on_nodes("bcast", procs, 1), "binomial_mpich");
  }
}

TEST_CASE("a library's name means its first rule set") {
  using tutti::algorithms::selection::find_rule_set;
  CHECK(find_rule_set("mpich") == "mpich-4.0");
  CHECK(find_rule_set("mpich-main") == "mpich-main");
  CHECK(find_rule_set("ompi") == "ompi-4.1");
  CHECK(find_rule_set("ompi-3.1") == "ompi-3.1");
  CHECK_FALSE(find_rule_set("mpi"));
  CHECK_FALSE(find_rule_set("mpich-"));
  CHECK_FALSE(find_rule_set(""));
}
