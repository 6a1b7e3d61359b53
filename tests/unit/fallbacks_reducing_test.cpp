// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm of a collective that reduces really runs, and which must not.
#include <doctest/doctest.h>

#include <string_view>

#include "algorithms/collective.hpp"

namespace {

using tutti::algorithms::Algorithm;
using tutti::algorithms::CollectiveArgs;
using tutti::algorithms::find_algorithm;

std::string_view fallback(std::string_view collective, std::string_view name, int procs,
                          const CollectiveArgs& call) {
  const Algorithm* algorithm = find_algorithm(collective, name);
  REQUIRE(algorithm != nullptr);
  const bool may_fall_back = algorithm->falls_back_to != nullptr;
  REQUIRE(may_fall_back);
  CHECK_FALSE(algorithm->restriction.empty());
  return algorithm->falls_back_to({procs, call});
}

TEST_CASE("Rabenseifner's algorithms need an element for each rank that remains after the fold") {
  for (const int procs : {8, 9, 15}) {
    CHECK(fallback("reduce", "rabenseifner", procs, {.message_bytes = 8}).empty());
    CHECK(fallback("reduce", "rabenseifner", procs, {.message_bytes = 7}) == "linear");
    CHECK(fallback("allreduce", "rabenseifner", procs, {.message_bytes = 8}).empty());
    CHECK(fallback("allreduce", "rabenseifner", procs, {.message_bytes = 7}) == "basic_linear");
    const CollectiveArgs doubles{.message_bytes = 56, .element_bytes = 8};
    CHECK(fallback("reduce", "rabenseifner", procs, doubles) == "linear");
  }
}

TEST_CASE("rings need an element, or a segment, for each rank") {
  CHECK(fallback("allreduce", "ring", 8, {.message_bytes = 8}).empty());
  CHECK(fallback("allreduce", "ring", 8, {.message_bytes = 7}) == "recursive_doubling");
  const auto segmented = [](tutti::Bytes bytes) {
    return fallback("allreduce", "segmented_ring", 8,
                    {.message_bytes = bytes, .segment_bytes = 100});
  };
  CHECK(segmented(0) == "recursive_doubling");
  CHECK(segmented(7) == "recursive_doubling");
  CHECK(segmented(8) == "ring");
  CHECK(segmented(799) == "ring");
  CHECK(segmented(800).empty());
  CHECK(fallback("allreduce", "segmented_ring", 8, {.message_bytes = 10000}) == "ring");
}

TEST_CASE("non-commutative operations make some algorithms fall back and others fail") {
  const CollectiveArgs call{.message_bytes = 1000, .commutative = false};
  CHECK(fallback("reduce", "rabenseifner", 8, call) == "linear");
  CHECK(fallback("allreduce", "rabenseifner", 8, call) == "basic_linear");
  CHECK(fallback("reduce_scatter_block", "recursive_halving", 8, call) == "basic_linear");
  const auto runs = [&](std::string_view collective, std::string_view name) {
    const Algorithm* algorithm = find_algorithm(collective, name);
    REQUIRE(algorithm != nullptr);
    return algorithm->runs == nullptr || algorithm->runs({8, call});
  };
  for (const char* tree : {"chain", "pipeline", "binary", "binomial"})
    CHECK_FALSE(runs("reduce", tree));
  CHECK_FALSE(runs("allreduce", "ring"));
  CHECK_FALSE(runs("reduce_scatter", "ring"));
  CHECK_FALSE(runs("reduce_scatter", "recursive_halving"));
  CHECK(runs("reduce", "in-order_binary"));
  CHECK(runs("reduce_scatter", "butterfly"));
}

}  // namespace
