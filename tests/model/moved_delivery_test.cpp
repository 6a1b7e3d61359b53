// SPDX-License-Identifier: BSD-3-Clause
// The ideal engine verifies that every collective that moves data delivers the right bytes to every
// rank.
#include <doctest/doctest.h>

#include "tests/support/delivery.hpp"

using namespace tutti;

TEST_CASE("every broadcast delivers") { tests::prove_delivery("bcast"); }
TEST_CASE("every allgather delivers") { tests::prove_delivery("allgather"); }
TEST_CASE("every allgatherv delivers") { tests::prove_delivery("allgatherv"); }
TEST_CASE("every gather delivers") { tests::prove_delivery("gather"); }
TEST_CASE("every gatherv delivers") { tests::prove_delivery("gatherv"); }
TEST_CASE("every scatter delivers") { tests::prove_delivery("scatter"); }
TEST_CASE("every scatterv delivers") { tests::prove_delivery("scatterv"); }
TEST_CASE("every alltoall delivers") { tests::prove_delivery("alltoall"); }
TEST_CASE("every alltoallv delivers") { tests::prove_delivery("alltoallv"); }

TEST_CASE("an alltoallv with a block for each pair of ranks sends just those") {
  const platforms::Machine machine = tests::test_machine(7);
  std::vector<algorithms::Counts> sent;
  Bytes total = 0;
  for (Bytes from = 0; from < 7; ++from) {
    std::vector<Bytes> row;
    for (Bytes to = 0; to < 7; ++to) row.push_back((from * 5 + to * to) % 4 * 100);
    total += std::reduce(row.begin(), row.end()) - row[static_cast<std::size_t>(from)];
    sent.emplace_back(row);
  }
  const algorithms::Counts counts(std::make_shared<const algorithms::PeerCounts>(std::move(sent)));
  for (const auto* algorithm : tests::plain_algorithms_of("alltoallv")) {
    CAPTURE(algorithm->name);
    const algorithms::CollectiveArgs args{.message_bytes = 300, .counts = &counts};
    const auto placement = tests::test_placement(7);
    const auto outcome = engines::run_ideal(
        {.machine = machine, .placement = placement, .program = [&](runtime::Rank& me) {
           return algorithm->program(me, args);
         }});
    CHECK(outcome.problems == std::vector<std::string>{});
    CHECK(outcome.counts.wire_bytes == total);
  }
}

TEST_CASE("every broadcast delivers with segment sizes that are not a multiple of the element") {
  const platforms::Machine machine = tests::rendezvous_machine(32);
  for (const auto* algorithm : tests::plain_algorithms_of("bcast"))
    for (const int procs : {1, 2, 3, 4, 5, 8, 13, 32})
      for (const Bytes segment : {0, 1, 3, 5, 6, 7, 11, 17, 40})
        for (Bytes elements = 0; elements <= 20; ++elements) {
          const algorithms::CollectiveArgs args{.message_bytes = 4 * elements,
                                                .segment_bytes = segment,
                                                .fanout = algorithm->default_fanout,
                                                .root = procs / 2,
                                                .element_bytes = 4};
          if (algorithm->runs != nullptr && !algorithm->runs({procs, args})) continue;
          CAPTURE(algorithm->name);
          CAPTURE(procs);
          CAPTURE(segment);
          CAPTURE(elements);
          CHECK(tests::problems_of(*algorithm, "bcast", machine, procs, args).empty());
        }
}

TEST_CASE("a broadcast that omits a rank is detected") {
  algorithms::Algorithm broken;
  broken.program = [](runtime::Rank&, algorithms::CollectiveArgs) -> runtime::Task { co_return; };
  const auto machine = tests::test_machine(2);
  CHECK(tests::problems_of(broken, "bcast", machine, 1, {.message_bytes = 8}).empty());
  CHECK_FALSE(tests::problems_of(broken, "bcast", machine, 2, {.message_bytes = 8}).empty());
}

TEST_CASE("an allgather that stores a block at the wrong place is detected") {
  algorithms::Algorithm broken;
  broken.program = [](runtime::Rank& me, algorithms::CollectiveArgs args) -> runtime::Task {
    const runtime::Slice block{.bytes = args.message_bytes};
    me.copy(block, {.bytes = args.message_bytes, .buffer = runtime::send_buffer});
    const int other = 1 - me.id();
    if (me.size() == 2)
      co_await me.sendrecv({.to = other,
                            .send = block,
                            .from = other,
                            .recv = {args.message_bytes, args.message_bytes}});
  };
  const auto machine = tests::rendezvous_machine(2);
  CHECK(tests::problems_of(broken, "allgather", machine, 1, {.message_bytes = 8}).empty());
  CHECK_FALSE(tests::problems_of(broken, "allgather", machine, 2, {.message_bytes = 8}).empty());
}
