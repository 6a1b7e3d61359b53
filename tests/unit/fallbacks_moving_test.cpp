// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm of a collective that moves data really runs, and which Open MPI rejects.
#include <doctest/doctest.h>

#include <string_view>

#include "algorithms/collective.hpp"

namespace {

using tutti::algorithms::Algorithm;
using tutti::algorithms::CollectiveArgs;
using tutti::algorithms::find_algorithm;

std::string_view fallback(std::string_view collective, std::string_view name, int procs,
                          const CollectiveArgs& call = {}) {
  const Algorithm* algorithm = find_algorithm(collective, name);
  REQUIRE(algorithm != nullptr);
  if (algorithm->falls_back_to == nullptr) return "";
  CHECK_FALSE(algorithm->restriction.empty());
  return algorithm->falls_back_to({procs, call});
}

TEST_CASE("allgathers fall back for unsuitable process counts") {
  for (const int procs : {1, 2, 4, 64}) {
    CHECK(fallback("allgather", "recursive_doubling", procs).empty());
    if (procs > 1) CHECK(fallback("allgather", "neighbor", procs).empty());
  }
  for (const int procs : {3, 6, 65})
    CHECK(fallback("allgather", "recursive_doubling", procs) == "bruck");
  for (const int procs : {3, 5, 65})
    for (const char* collective : {"allgather", "allgatherv"})
      CHECK(fallback(collective, "neighbor", procs) == "ring");
  CHECK(fallback("allgatherv", "neighbor", 6).empty());
  CHECK(fallback("allgather", "bruck", 3).empty());
}

TEST_CASE("broadcasts with too few elements fall back") {
  CHECK(fallback("bcast", "split_binary_tree", 4, {.message_bytes = 2}).empty());
  CHECK(fallback("bcast", "split_binary_tree", 4, {.message_bytes = 1}) == "chain");
  CHECK(fallback("bcast", "split_binary_tree", 4, {.message_bytes = 8, .segment_bytes = 5}) ==
        "chain");
  CHECK(
      fallback("bcast", "split_binary_tree", 4, {.message_bytes = 8, .segment_bytes = 4}).empty());
  CHECK(fallback("bcast", "split_binary_tree", 1, {.message_bytes = 1}).empty());
  for (const char* name : {"scatter_allgather", "scatter_allgather_ring"}) {
    CHECK(fallback("bcast", name, 8, {.message_bytes = 7}) == "basic_linear");
    CHECK(fallback("bcast", name, 8, {.message_bytes = 8}).empty());
    CHECK(fallback("bcast", name, 1, {.message_bytes = 0}).empty());
  }
}

TEST_CASE("algorithms for two processes run only with two") {
  for (const char* collective : {"allgather", "allgatherv", "alltoall", "barrier"}) {
    const Algorithm* algorithm = find_algorithm(collective, "two_proc");
    REQUIRE(algorithm != nullptr);
    CHECK_FALSE(algorithm->restriction.empty());
    for (const int procs : {1, 2, 3, 4}) CHECK(algorithm->runs({procs, {}}) == (procs == 2));
  }
}

TEST_CASE("every algorithm names its origin") {
  for (const Algorithm& algorithm : tutti::algorithms::all_algorithms()) {
    CAPTURE(algorithm.name);
    CHECK_FALSE(algorithm.reference.empty());
    CHECK_FALSE(algorithm.summary.empty());
  }
}

}  // namespace
