// SPDX-License-Identifier: BSD-3-Clause
// The ideal engine verifies that every collective that reduces uses each contribution exactly once,
// in rank order if the operation is not commutative.
#include <doctest/doctest.h>

#include "tests/support/delivery.hpp"

using namespace tutti;

TEST_CASE("every reduction delivers") { tests::prove_delivery("reduce"); }
TEST_CASE("every allreduce delivers") { tests::prove_delivery("allreduce"); }
TEST_CASE("every reduce_scatter delivers") { tests::prove_delivery("reduce_scatter"); }
TEST_CASE("every reduce_scatter_block delivers") { tests::prove_delivery("reduce_scatter_block"); }
TEST_CASE("every scan delivers") { tests::prove_delivery("scan"); }
TEST_CASE("every exscan delivers") { tests::prove_delivery("exscan"); }

namespace {

using algorithms::Algorithm;
using algorithms::CollectiveArgs;

// All algorithms that reduce, and whether they accept a non-commutative operation.
std::vector<const Algorithm*> all_that_reduce(const CollectiveArgs& args, int procs) {
  std::vector<const Algorithm*> found;
  for (const Algorithm* each : tests::plain_algorithms())
    if (algorithms::find_collective(each->collective)->reduces &&
        (each->runs == nullptr || each->runs({procs, args})))
      found.push_back(each);
  return found;
}

bool is_right(const Algorithm& algorithm, int procs, const CollectiveArgs& args) {
  const auto machine = tests::rendezvous_machine(procs);
  return tests::problems_of(algorithm, algorithm.collective, machine, procs, args).empty();
}

// The algorithm that `tampered` runs; global, because a program has no further arguments.
const Algorithm* victim = nullptr;

}  // namespace

TEST_CASE("a reduction whose last rank ends without the others' contributions is detected") {
  const CollectiveArgs args{.message_bytes = 60, .segment_bytes = 7, .fanout = 2, .root = 5};
  Algorithm tampered;
  tampered.program = [](runtime::Rank& me, CollectiveArgs call) -> runtime::Task {
    co_await victim->program(me, call);
    if (me.id() == 5) me.copy({.bytes = 1}, {.bytes = 1, .buffer = runtime::send_buffer});
  };
  const auto tried = all_that_reduce(args, 6);
  CHECK(tried.size() == 56);
  for (const Algorithm* each : tried) {
    CAPTURE(each->collective);
    CAPTURE(each->name);
    victim = each;
    tampered.collective = each->collective;
    CHECK(is_right(*each, 6, args));
    CHECK_FALSE(is_right(tampered, 6, args));
  }
}

TEST_CASE("a wrong order of operands is detected if the operation is not commutative") {
  Algorithm backwards;
  backwards.program = [](runtime::Rank& me, CollectiveArgs call) -> runtime::Task {
    call.root = me.size() - 1 - call.root;
    runtime::Nested inner(me, {.group = runtime::Group(me.size() - 1, me.size(), -1),
                               .member = me.size() - 1 - me.id()});
    co_await victim->program(inner.rank(), call);
  };
  CollectiveArgs args{.message_bytes = 60, .segment_bytes = 7, .fanout = 2, .root = 2};
  for (const std::string_view collective : {"reduce", "allreduce"})
    for (const Algorithm* each : tests::plain_algorithms_of(collective)) {
      CAPTURE(each->name);
      victim = each;
      backwards.collective = collective;
      args.commutative = true;
      if (each->runs != nullptr && !each->runs({6, args})) continue;
      CHECK(is_right(backwards, 6, args));
      args.commutative = false;
      if (each->runs != nullptr && !each->runs({6, args})) continue;
      CHECK(is_right(*each, 6, args));
      CHECK_FALSE(is_right(backwards, 6, args));
    }
}

TEST_CASE("algorithms that reject non-commutative operations would change the order of operands") {
  const CollectiveArgs args{.message_bytes = 60, .fanout = 2, .root = 2, .commutative = false};
  CollectiveArgs commuting = args;
  commuting.commutative = true;
  int rejected = 0;
  for (const Algorithm* each : tests::plain_algorithms())
    if (each->runs != nullptr && algorithms::find_collective(each->collective)->reduces &&
        each->runs({6, commuting}) && !each->runs({6, args})) {
      CAPTURE(each->collective);
      CAPTURE(each->name);
      ++rejected;
      CHECK_FALSE(is_right(*each, 6, args));
    }
  CHECK(rejected == 23);
}

TEST_CASE("a synchronous send waits for its receive, for any message length") {
  const auto machine = tests::test_machine(2);
  const auto placement = tests::test_placement(2);
  for (const bool synchronous : {false, true}) {
    const auto outcome =
        engines::run_ideal({.machine = machine,
                            .placement = placement,
                            .program = [&](runtime::Rank& me) -> runtime::Task {
                              const runtime::Slice byte{.bytes = 1};
                              if (me.id() == 0) {
                                const runtime::SendArgs short_one{.to = 1, .data = byte};
                                const auto sent =
                                    synchronous ? me.issend(short_one) : me.isend(short_one);
                                co_await me.wait(sent);
                                co_await me.send({.to = 1, .tag = 1, .data = byte});
                              } else {
                                co_await me.recv({.from = 0, .tag = 1, .data = byte});
                                co_await me.recv({.from = 0, .data = byte});
                              }
                            }});
    CHECK(outcome.problems.empty() == !synchronous);
  }
}
