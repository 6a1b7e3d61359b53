// SPDX-License-Identifier: BSD-3-Clause
// Jobs with many flows on one NIC, where three classes already form a bundle: every solve is fair,
// and every rank ends as in simgrid, which has no bundles.
#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/share_audit.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::tests;
using runtime::Rank;
using runtime::Request;
using runtime::Task;

namespace {

constexpr engines::BundleRules small_bundles{.least = 3, .most_wait = 0};

Bytes size_of(Draw& draw, Bytes most) {
  return static_cast<Bytes>(draw.below(static_cast<std::uint64_t>(most) + 1));
}

// Every fourth rank sends to all at once, messages of many sizes, each twice.
Task few_to_all(Rank& me, PatternArgs args) {
  start_late(me, args);
  Draw draw(args.seed);
  std::vector<Request> requests;
  for (int from = 0; from < me.size(); from += 4)
    for (int i = 0; i < 2 * me.size(); ++i) {
      const int to = i % me.size();
      const Bytes bytes = size_of(draw, args.bytes);
      const int tag = 1000 * from + i;
      if (to == me.id())
        requests.push_back(me.irecv({.from = from, .tag = tag, .data = {.bytes = bytes}}));
      if (from == me.id())
        requests.push_back(me.isend({.to = to, .tag = tag, .data = {.bytes = bytes}}));
    }
  co_await me.wait_all(requests);
}

// All send to two ranks, one message after the other; some send to each other in between.
Task all_to_two(Rank& me, PatternArgs args) {
  start_late(me, args);
  constexpr int rounds = 4;
  Draw draw(args.seed);
  std::vector<Request> open;
  for (int i = 0; i < rounds * me.size(); ++i) {
    const int from = i % me.size();
    const int to = draw.below(8) == 0 ? (from + 1) % me.size() : static_cast<int>(draw.below(2));
    const Bytes bytes = size_of(draw, args.bytes);
    if (from == to) continue;
    if (to == me.id() && to < 2) {
      // Posted at once, so that many senders are active at the same time.
      open.push_back(me.irecv({.from = from, .tag = i, .data = {.bytes = bytes}}));
      continue;
    }
    if (from == me.id()) co_await me.send({.to = to, .tag = i, .data = {.bytes = bytes}});
    if (to == me.id()) co_await me.recv({.from = from, .tag = i, .data = {.bytes = bytes}});
  }
  co_await me.wait_all(open);
}

void check_agreement(const Shape& shape, const NamedProgram& each, int procs, int ppn) {
  const platforms::Machine machine = machine_of(shape);
  const platforms::Placement placement = test_placement(procs, ppn);
  CAPTURE(shape.name);
  CAPTURE(each.name);
  CAPTURE(procs);
  CAPTURE(ppn);
  const double difference = disagreement({.machine = machine,
                                          .placement = placement,
                                          .program = each.program,
                                          .bundles = small_bundles,
                                          .audit = engines::audit_shares});
  CHECK(difference <= 1e-9);
}

}  // namespace

TEST_CASE("with small bundles, flow and simgrid end at the same time: few ranks send to all") {
  const auto shapes = shapes_of_64();
  for_each_case<3>({shapes.size(), 2, 2}, {.seed = 11}, [&](const auto& levels) {
    const auto [shape, size, start] = levels;
    const PatternArgs args{
        .bytes = size == 0 ? 3000 : 200'000, .skew_s = start == 0 ? 0.0 : 5e-6, .seed = 11};
    check_agreement(shapes[shape], {"few to all", [=](Rank& me) { return few_to_all(me, args); }},
                    24, 1);
  });
}

TEST_CASE("with small bundles, flow and simgrid end at the same time: all send to two") {
  for (const Shape& shape : shapes_of_64())
    for (const int ppn : {1, 3}) {
      const PatternArgs args{.bytes = 100'000, .skew_s = 5e-6, .seed = 12};
      check_agreement(shape, {"all to two", [=](Rank& me) { return all_to_two(me, args); }}, 40,
                      ppn);
    }
}

TEST_CASE("with small bundles, flow and simgrid end at the same time: all patterns") {
  const auto shapes = shapes_of_64();
  const auto all = programs({.bytes = 60'000, .skew_s = 3e-6, .seed = 13});
  for_each_case<2>({shapes.size(), all.size()}, {.strength = 1, .seed = 13, .times = 3},
                   [&](const auto& levels) {
                     const auto [shape, program] = levels;
                     check_agreement(shapes[shape], all[program], 33, 2);
                   });
}
