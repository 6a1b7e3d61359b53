// SPDX-License-Identifier: BSD-3-Clause
// The delivery tests run a small subset of all calls, and cover every value that the full product
// covers.
#include "tests/support/delivery_calls.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>

#include "tests/support/environment.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

using Calls = std::set<DeliveryCall>;
using Properties = std::array<Bytes, 8>;

// The machine and the size count as one property: together they determine where segments end.
Properties properties_of(const DeliveryCall& call) {
  return {call.procs,
          call.root,
          2 * call.elements + call.eager,
          2 * call.counts + call.eager,
          call.in_segments,
          call.fanout,
          call.max_requests,
          call.commutative};
}

Calls calls_of(const algorithms::Algorithm& algorithm, bool with_counts, const char* full) {
  const EnvironmentVariable variable("TUTTI_FULL_PRODUCTS", full);
  return delivery_calls(algorithm, with_counts);
}

// The pairs of process counts and values of another property that occur.
std::set<std::pair<Bytes, Bytes>> met(const Calls& calls, std::size_t property, int most_procs) {
  std::set<std::pair<Bytes, Bytes>> pairs;
  for (const DeliveryCall& call : calls)
    if (call.procs <= most_procs) pairs.emplace(call.procs, properties_of(call)[property]);
  return pairs;
}

}  // namespace

TEST_CASE("each process count occurs with every value of every other factor") {
  struct Choice {
    const char* collective;
    const char* algorithm;
    bool with_counts = false;
  };
  for (const auto& [collective, name, with_counts] :
       {Choice{"bcast", "knomial"}, Choice{"reduce", "pipeline"}, Choice{"allreduce", "ring"},
        Choice{"alltoall", "linear_sync"}, Choice{"alltoall", "two_proc"},
        Choice{"scatterv", "linear", true}, Choice{"barrier", "tree"}}) {
    CAPTURE(collective);
    CAPTURE(name);
    const auto* algorithm = algorithms::find_algorithm(collective, name);
    REQUIRE(algorithm != nullptr);
    const Calls all = calls_of(*algorithm, with_counts, "1");
    const Calls few = calls_of(*algorithm, with_counts, "0");
    CHECK(std::includes(all.begin(), all.end(), few.begin(), few.end()));
    for (std::size_t property = 0; property < Properties{}.size(); ++property) {
      CAPTURE(property);
      CHECK(met(few, property, 33) == met(all, property, 33));
    }
  }
}

TEST_CASE("every algorithm runs with every supported process count") {
  for (const auto* algorithm : plain_algorithms()) {
    CAPTURE(algorithm->collective);
    CAPTURE(algorithm->name);
    std::set<int> expected;
    for (const int procs : delivery_procs(false))
      if (algorithm->runs == nullptr || algorithm->runs({procs, {}})) expected.insert(procs);
    std::set<int> found;
    for (const DeliveryCall& call : calls_of(*algorithm, false, "0")) found.insert(call.procs);
    CHECK(found == expected);
    CHECK_FALSE(expected.empty());
  }
}
