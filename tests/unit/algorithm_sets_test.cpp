// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms each version of Open MPI has, by the enumerations of coll_tuned_*_decision.c.
#include "algorithms/selection/algorithm_sets.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace tutti::algorithms;

namespace {

std::set<std::pair<int, std::string_view>> numbered(std::string_view set,
                                                    std::string_view collective) {
  std::set<std::pair<int, std::string_view>> found;
  for (const Algorithm* each : algorithms_of(collective))
    if (selection::is_in_set(set, *each)) found.emplace(each->id, each->name);
  return found;
}

int most_id(std::string_view set, std::string_view collective) {
  const auto found = numbered(set, collective);
  for (int id = 1; const auto& [own, name] : found) CHECK(own == id++);
  return found.empty() ? 0 : found.rbegin()->first;
}

}  // namespace

TEST_CASE("the ids of a version are contiguous, up to the last one of its enumeration") {
  struct Row {
    std::string_view collective;
    int in_31, in_41, in_50, in_6;
  };
  for (const Row& row : {Row{"allgather", 6, 6, 7, 8},
                         {"allgatherv", 5, 5, 6, 6},
                         {"allreduce", 5, 6, 7, 7},
                         {"alltoall", 5, 5, 5, 5},
                         {"alltoallv", 2, 2, 2, 2},
                         {"barrier", 6, 6, 6, 6},
                         {"bcast", 6, 9, 9, 9},
                         {"gather", 3, 3, 3, 3},
                         {"reduce", 6, 7, 7, 8},
                         {"reduce_scatter", 3, 4, 4, 4},
                         {"reduce_scatter_block", 0, 4, 4, 4},
                         {"gatherv", 0, 1, 1, 1},
                         {"scatter", 2, 3, 3, 3},
                         {"scan", 0, 2, 2, 2},
                         {"exscan", 0, 2, 2, 2}}) {
    CAPTURE(row.collective);
    CHECK(most_id("ompi-3.1", row.collective) == row.in_31);
    CHECK(most_id("ompi-4.1", row.collective) == row.in_41);
    CHECK(most_id("ompi-5.0", row.collective) == row.in_50);
    CHECK(most_id("ompi-6", row.collective) == row.in_6);
  }
}

TEST_CASE("a later version may use an id for another algorithm") {
  const Algorithm& bruck = *find_algorithm("allgather", "bruck");
  const Algorithm& k_bruck = *find_algorithm("allgather", "k_bruck");
  CHECK(bruck.id == k_bruck.id);
  for (const auto set : {"ompi-3.1", "ompi-4.1", "ompi-5.0"}) {
    CHECK(selection::is_in_set(set, bruck));
    CHECK_FALSE(selection::is_in_set(set, k_bruck));
  }
  CHECK_FALSE(selection::is_in_set("ompi-6", bruck));
  CHECK(selection::is_in_set("ompi-6", k_bruck));
}

TEST_CASE("every algorithm is in a set, and only algorithms without a set compete by default") {
  const auto sets = selection::algorithm_sets();
  for (const Algorithm& each : all_algorithms()) {
    CAPTURE(each.collective);
    CAPTURE(each.name);
    CHECK(selection::is_in_set("any", each) == !each.device_protocol.has_value());
    CHECK(selection::is_in_set("", each) == each.set.empty());
    if (each.set.empty()) continue;
    CHECK(std::ranges::find(sets, each.set) != sets.end());
    CHECK(selection::is_in_set(each.set, each));
    CHECK_FALSE(selection::is_in_set("ompi-4.1", each));
  }
}

TEST_CASE("MPICH's set has its own algorithms, and those of others that its trees choose") {
  const auto is_in = [](std::string_view collective, std::string_view name) {
    return selection::is_in_set("mpich", *find_algorithm(collective, name));
  };
  CHECK(is_in("bcast", "binomial_mpich"));
  CHECK(is_in("bcast", "tree_kary"));  // chosen by no tree
  CHECK(is_in("allgather", "ring"));
  CHECK(is_in("reduce_scatter_block", "butterfly"));  // of operations that do not commute
  CHECK_FALSE(is_in("bcast", "binomial"));
  CHECK_FALSE(is_in("allgather", "neighbor"));
}
