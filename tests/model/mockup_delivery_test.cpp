// SPDX-License-Identifier: BSD-3-Clause
// The ideal engine verifies that every mock-up of a guideline implements its collective, and that
// its traffic is that of the calls inside it.
#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "algorithms/guidelines/mockup.hpp"
#include "sim/engines/traffic_counter.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/delivery.hpp"

namespace {

using namespace tutti;
using algorithms::Algorithm;
using algorithms::CollectiveArgs;
using algorithms::guidelines::all_mockups;
using algorithms::guidelines::Mockup;

// Element counts around the number of ranks, of chunks and of both.
std::set<Bytes> sizes_in_elements(const Mockup& mockup, int procs) {
  const bool in_blocks = algorithms::find_collective(mockup.algorithm.collective)->in_blocks;
  if (in_blocks) return {0, 1, 7};
  return {0, 1, procs - 1, procs + 1, 4 * procs + 3, 9 * procs - 2};
}

std::set<int> roots_of(const Mockup& mockup, int procs) {
  const bool rooted = algorithms::find_collective(mockup.algorithm.collective)->rooted;
  return rooted ? std::set{0, procs / 2, procs - 1} : std::set{0};
}

// Calls `check` with the process count and the arguments of each case.
template <class Check>
void for_each_call(const Mockup& mockup, const std::vector<int>& all_procs, Check check) {
  const Algorithm& algorithm = mockup.algorithm;
  const bool reduces = algorithms::find_collective(algorithm.collective)->reduces;
  const auto check_case = [&](const auto& levels) {
    const auto [p, size, root, operation] = levels;
    const int procs = all_procs[p];
    const Bytes elements = tests::at_level(sizes_in_elements(mockup, procs), size);
    // Elements of several bytes, if there are several elements.
    const Bytes element_bytes = elements % 2 == 0 ? 1 : 8;
    const CollectiveArgs args{.message_bytes = elements * element_bytes,
                              .root = tests::at_level(roots_of(mockup, procs), root),
                              .element_bytes = element_bytes,
                              .commutative = operation == 0};
    if (algorithm.runs != nullptr && !algorithm.runs({procs, args})) return;
    CAPTURE(algorithm.name);
    CAPTURE(procs);
    CAPTURE(args.message_bytes);
    CAPTURE(args.root);
    CAPTURE(args.commutative);
    check(procs, args);
  };
  constexpr int many = 33;  // all sizes and roots differ
  tests::for_each_case<4>({all_procs.size(), sizes_in_elements(mockup, many).size(),
                           roots_of(mockup, many).size(), reduces ? 2U : 1U},
                          {.seed = tests::seed_of(algorithm)}, check_case);
}

TEST_CASE("every mock-up delivers the result of its collective") {
  const auto machine = tests::rendezvous_machine(33);
  std::vector<int> all_procs(33);
  std::iota(all_procs.begin(), all_procs.end(), 1);
  for (const Mockup* mockup : all_mockups())
    for_each_call(*mockup, all_procs, [&](int procs, const CollectiveArgs& args) {
      const auto problems =
          tests::problems_of(mockup->algorithm, mockup->algorithm.collective, machine, procs, args);
      if (!problems.empty()) CHECK(problems == std::vector<std::string>{});
    });
}

using Traffic = std::map<std::pair<int, int>, std::pair<std::int64_t, Bytes>>;

void add_traffic(Traffic& traffic, const Algorithm& algorithm, int procs,
                 const CollectiveArgs& args) {
  static const auto machine = tests::test_machine(33);
  const auto placement = tests::test_placement(procs);
  engines::TrafficCounter counter;
  const auto outcome =
      engines::run_ideal({.machine = machine,
                          .placement = placement,
                          .program = [&](runtime::Rank& me) { return algorithm.program(me, args); },
                          .observers = {&counter}});
  REQUIRE(outcome.problems.empty());
  for (const auto& row : counter.rows()) {
    auto& [messages, bytes] = traffic[{row.source, row.destination}];
    messages += row.messages;
    bytes += row.bytes;
  }
}

TEST_CASE("a mock-up's traffic is the sum of the traffic of its parts") {
  for (const Mockup* mockup : all_mockups())
    for_each_call(*mockup, {1, 2, 3, 7, 8, 16, 33}, [&](int procs, const CollectiveArgs& args) {
      Traffic whole;
      add_traffic(whole, mockup->algorithm, procs, args);
      Traffic parts;
      for (const auto& call : mockup->calls(args, procs)) {
        const auto decided = algorithms::selection::decided(call, procs);
        // Without nodes the ranks form one lane, and calls on single ranks send nothing.
        REQUIRE((call.ranks(procs) == 1 || call.ranks(procs) == procs));
        if (call.ranks(procs) == procs) add_traffic(parts, *decided.algorithm, procs, decided.args);
      }
      CHECK(whole == parts);
      std::int64_t messages = 0;
      for (const auto& [pair, sent] : whole) messages += sent.first;
      CHECK(messages == mockup->algorithm.messages({procs, args}));
    });
}

}  // namespace
