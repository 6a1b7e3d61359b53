// SPDX-License-Identifier: BSD-3-Clause
// The ideal engine proves that every broadcast brings the root's message to every rank, without a
// deadlock or leftover messages, whichever protocol its messages use.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/delivery.hpp"

namespace {

using tutti::Bytes;
using tutti::algorithms::Algorithm;
using tutti::algorithms::CollectiveArgs;
using tutti::platforms::Machine;

constexpr int most_procs = 129;

Machine rendezvous_machine() { return tutti::tests::rendezvous_machine(most_procs); }

Machine eager_machine() { return tutti::tests::test_machine(most_procs); }

std::vector<std::string> problems_of(const Algorithm& algorithm, const Machine& machine, int procs,
                                     const CollectiveArgs& args) {
  const tutti::runtime::Slice message{.bytes = args.message_bytes,
                                      .buffer = tutti::runtime::recv_buffer};
  tutti::engines::DataCheck check;
  check.initial.push_back({args.root, message, {0, {args.root}}});
  for (int rank = 0; rank < procs; ++rank)
    check.expected.push_back({rank, message, {0, {args.root}}});
  return tutti::tests::problems_of(algorithm, machine, procs, args, check);
}

void check_delivery(const Algorithm& algorithm, const Machine& machine, int procs,
                    const CollectiveArgs& args) {
  const auto problems = problems_of(algorithm, machine, procs, args);
  if (problems.empty()) return;
  CAPTURE(algorithm.name);
  CAPTURE(procs);
  CAPTURE(args.root);
  CAPTURE(args.message_bytes);
  CAPTURE(args.segment_bytes);
  CAPTURE(args.element_bytes);
  CAPTURE(args.fanout);
  CHECK(problems == std::vector<std::string>{});
}

std::vector<int> fanouts_of(const Algorithm& algorithm) {
  if (algorithm.name == "chain") return {1, 2, 3, 4, 5};
  if (algorithm.name == "knomial") return {2, 3, 4, 5};
  return {0};
}

std::vector<int> proc_counts() {
  std::vector<int> counts;
  for (int procs = 1; procs <= 65; ++procs) counts.push_back(procs);
  counts.insert(counts.end(), {127, 128, 129});
  return counts;
}

// All up to 17 processes, a few beyond.
std::set<int> roots_of(int procs) {
  if (procs > 17) return {0, procs / 2 + 1, procs - 1};
  std::set<int> roots;
  for (int root = 0; root < procs; ++root) roots.insert(root);
  return roots;
}

// Around the edges of segments, and of the blocks of one per rank.
std::set<Bytes> sizes_in_elements(const Algorithm& algorithm, int procs, Bytes segment) {
  std::set<Bytes> sizes{0, 1, segment - 1, segment, segment + 1, 3 * segment + 1};
  if (algorithm.name.starts_with("scatter_allgather"))
    sizes.insert({procs - 1, procs, procs + 1, 2 * procs + 1, 3 * procs - 2});
  return sizes;
}

void check_all_procs_and_roots(const Machine& machine, Bytes segment_elements,
                               Bytes element_bytes) {
  for (const Algorithm* algorithm : tutti::algorithms::algorithms_of("bcast"))
    for (const int fanout : fanouts_of(*algorithm))
      for (const int procs : proc_counts())
        for (const int root : roots_of(procs))
          for (const Bytes elements : sizes_in_elements(*algorithm, procs, segment_elements))
            check_delivery(*algorithm, machine, procs,
                           {.message_bytes = elements * element_bytes,
                            .segment_bytes = segment_elements * element_bytes,
                            .fanout = fanout,
                            .root = root,
                            .element_bytes = element_bytes});
}

TEST_CASE("every broadcast delivers when every send waits for its receive") {
  check_all_procs_and_roots(rendezvous_machine(), 8, 1);
}

TEST_CASE("every broadcast delivers elements of 4 bytes by eager messages") {
  check_all_procs_and_roots(eager_machine(), 2, 4);
}

TEST_CASE("every broadcast delivers with segment sizes that are no multiple of the element") {
  const Machine machine = rendezvous_machine();
  for (const Algorithm* algorithm : tutti::algorithms::algorithms_of("bcast"))
    for (const int procs : {1, 2, 3, 4, 5, 8, 13, 32})
      for (const Bytes segment : {0, 1, 3, 5, 6, 7, 11, 17, 40})
        for (Bytes elements = 0; elements <= 20; ++elements)
          check_delivery(*algorithm, machine, procs,
                         {.message_bytes = 4 * elements,
                          .segment_bytes = segment,
                          .fanout = algorithm->default_fanout,
                          .root = procs / 2,
                          .element_bytes = 4});
}

TEST_CASE("a broadcast that leaves a rank out is noticed") {
  Algorithm broken;
  broken.program = [](tutti::runtime::Rank&, CollectiveArgs) -> tutti::runtime::Task { co_return; };
  CHECK(problems_of(broken, eager_machine(), 1, {.message_bytes = 8}).empty());
  CHECK_FALSE(problems_of(broken, eager_machine(), 2, {.message_bytes = 8}).empty());
}

}  // namespace
