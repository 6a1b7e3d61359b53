// SPDX-License-Identifier: BSD-3-Clause
// The ideal engine proves that every allgather brings every rank's block to every rank, in rank
// order, without a deadlock or leftover messages, whichever protocol its messages use.
#include <doctest/doctest.h>

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

std::vector<std::string> problems_of(const Algorithm& algorithm, const Machine& machine, int procs,
                                     const CollectiveArgs& args) {
  using tutti::runtime::Slice;
  const Bytes bytes = args.message_bytes;
  tutti::engines::DataCheck check;
  for (int source = 0; source < procs; ++source) {
    const Slice block{.bytes = bytes, .buffer = tutti::runtime::send_buffer};
    check.initial.push_back({source, block, {0, {source}}});
    const Slice gathered{source * bytes, bytes, tutti::runtime::recv_buffer};
    for (int rank = 0; rank < procs; ++rank)
      check.expected.push_back({rank, gathered, {0, {source}}});
  }
  return tutti::tests::problems_of(algorithm, machine, procs, args, check);
}

void check_delivery(const Machine& machine, int procs, const CollectiveArgs& args) {
  for (const Algorithm* algorithm : tutti::algorithms::algorithms_of("allgather")) {
    const auto problems = problems_of(*algorithm, machine, procs, args);
    if (problems.empty()) continue;
    CAPTURE(algorithm->name);
    CAPTURE(procs);
    CAPTURE(args.message_bytes);
    CHECK(problems == std::vector<std::string>{});
  }
}

void check_all_procs(const Machine& machine, Bytes element_bytes) {
  std::vector<int> counts{127, 128, 129};
  for (int procs = 1; procs <= 65; ++procs) counts.push_back(procs);
  for (const int procs : counts)
    for (const Bytes elements : {0, 1, 2, 1000})
      check_delivery(machine, procs,
                     {.message_bytes = elements * element_bytes, .element_bytes = element_bytes});
}

TEST_CASE("every allgather delivers when every send waits for its receive") {
  check_all_procs(rendezvous_machine(), 1);
}

TEST_CASE("every allgather delivers elements of 4 bytes by eager messages") {
  check_all_procs(tutti::tests::test_machine(most_procs), 4);
}

TEST_CASE("an allgather that forgets the turn at the end is noticed") {
  Algorithm broken;
  broken.program = [](tutti::runtime::Rank& me, CollectiveArgs args) -> tutti::runtime::Task {
    const tutti::runtime::Slice block{.bytes = args.message_bytes};
    me.copy(block, {.bytes = args.message_bytes, .buffer = tutti::runtime::send_buffer});
    const int other = 1 - me.id();
    if (me.size() == 2)
      co_await me.sendrecv({.to = other,
                            .send = block,
                            .from = other,
                            .recv = {args.message_bytes, args.message_bytes}});
  };
  const Machine machine = rendezvous_machine();
  CHECK(problems_of(broken, machine, 1, {.message_bytes = 8}).empty());
  CHECK_FALSE(problems_of(broken, machine, 2, {.message_bytes = 8}).empty());
}

}  // namespace
