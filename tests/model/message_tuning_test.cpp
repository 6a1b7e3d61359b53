// SPDX-License-Identifier: BSD-3-Clause
// The effect of tuning parameters on the message protocol: cases calculated by hand, and the
// direction of each parameter, in both timed engines. The machine: o_s = 0.3 us, o_r = 0.2 us,
// routes of two links (1 us and 1 GB/s each: L = 2 us), eager up to 1000 B, no copies; inside a
// node a bus of 0.5 us and 4 GB/s.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/engines/ideal/ideal.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/share_audit.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using platforms::Machine;
using platforms::MessageProtocol;
using platforms::Piecewise;
using runtime::Rank, runtime::Request, runtime::Task;
using tests::close_to, tests::exactly;

namespace {

constexpr double us = 1e-6;
constexpr double o_s = 0.3 * us;
constexpr double o_r = 0.2 * us;
constexpr double L = 2 * us;
constexpr double bus_L = 0.5 * us;
constexpr double G = 1e-9;
constexpr double rounding = 1e-12;

Machine machine_with_overheads(platforms::HostId hosts) {
  Machine machine = tests::test_machine(hosts);
  for (MessageProtocol* each : {&machine.inter, &machine.intra}) {
    each->send_overhead = each->isend_overhead = Piecewise(o_s);
    each->recv_overhead = Piecewise(o_r);
  }
  return machine;
}

// Every rank's end; requires that both engines agree.
std::vector<Seconds> run(const Machine& machine, const platforms::Placement& placement,
                         const runtime::Program& program) {
  const engines::Job job{machine, placement, program};
  auto end_s = tests::flow_ends(job);
  const auto reference = tests::run_simgrid_in_child(job);
  REQUIRE(reference.problems == "");
  CHECK(tests::largest_difference(end_s, reference.end_s) <= 1e-9);
  return end_s;
}

// The time at which the receiver has a message between two nodes, or (ppn 2) inside one.
Seconds time_of_message(const Machine& machine, Bytes bytes, int ppn = 1) {
  const auto program = [bytes](Rank& me) -> Task {
    if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = bytes}});
    if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = bytes}});
  };
  return run(machine, tests::test_placement(2, ppn), program)[1];
}

// Rank 0 sends short messages to rank 1, which is late, one after the other.
runtime::Program stream(int messages, Seconds late_s) {
  return [=](Rank& me) -> Task {
    if (me.id() == 1) me.compute(late_s);
    for (int i = 0; i < messages; ++i) {
      if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 1000}});
      if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = 1000}});
    }
  };
}

Machine machine_with_credits(int credits) {
  Machine machine = machine_with_overheads(2);
  machine.inter.eager_credits = machine.intra.eager_credits = credits;
  return machine;
}

}  // namespace

// Eager limits.

TEST_CASE("the eager limit of a path changes only the messages of that path") {
  Machine machine = machine_with_overheads(2);
  const Seconds between_s = time_of_message(machine, 5000);
  const Seconds inside_s = time_of_message(machine, 5000, 2);
  machine.inter.eager_max = machine.inter.detached_max = 5000;
  CHECK(time_of_message(machine, 5000) == exactly(between_s - 2 * L));  // no handshake
  CHECK(time_of_message(machine, 5000, 2) == inside_s);
  machine.intra.eager_max = machine.intra.detached_max = 5000;
  CHECK(time_of_message(machine, 5000, 2) == exactly(inside_s - 2 * bus_L));
  CHECK(time_of_message(machine, 5001) > between_s);
}

TEST_CASE("if copies cost more than a handshake, a lower eager limit is faster") {
  Machine machine = machine_with_overheads(2);
  machine.inter.copy_Bps = 1e9;
  const auto at_limit = [&](Bytes limit) {
    machine.inter.eager_max = machine.inter.detached_max = limit;
    return time_of_message(machine, 20'000);
  };
  CHECK(at_limit(10'000) == exactly(at_limit(20'000) + 2 * L - 20 * us));
}

// Eager credits.

TEST_CASE("with one credit a message leaves when the previous one has been received") {
  const Machine machine = machine_with_credits(1);
  const auto end_s = run(machine, tests::test_placement(2), stream(4, 0));
  const double turn_s = L + 1000 * G + o_r + L;
  CHECK(end_s[0] == exactly(o_s + 3 * turn_s));  // a send without credit is incomplete
  CHECK(end_s[1] == exactly(o_s + 3 * turn_s + L + 1000 * G + o_r));
  const auto inside = run(machine, tests::test_placement(2, 2), stream(4, 0));
  CHECK(inside[0] == exactly(o_s + 3 * (bus_L + 1000 * 0.25e-9 + o_r + bus_L)));
  Machine copying = machine;
  copying.inter.copy_Bps = 1e9;
  CHECK(run(copying, tests::test_placement(2), stream(4, 0))[0] ==
        exactly(o_s + 3 * (turn_s + 1 * us)));
}

TEST_CASE("a receiver that does not wait processes no message") {
  const auto end_s = run(machine_with_credits(1), tests::test_placement(2), stream(2, 100 * us));
  CHECK(end_s[0] == exactly(100 * us + o_r + L));
  CHECK(end_s[1] == exactly(100 * us + o_r + L + L + 1000 * G + o_r));
  const auto free = run(machine_with_credits(2), tests::test_placement(2), stream(2, 100 * us));
  CHECK(free[0] == exactly(2 * o_s));
  CHECK(free[1] == exactly(100 * us + 2 * o_r));
}

TEST_CASE("a receiver processes messages as long as it waits for another one") {
  const auto end_s = run(machine_with_credits(1), tests::test_placement(2), [](Rank& me) -> Task {
    if (me.id() == 0) {
      for (int i = 0; i < 3; ++i) co_await me.send({.to = 1, .tag = i, .data = {.bytes = 1000}});
    } else {
      for (int i = 2; i >= 0; --i) co_await me.recv({.from = 0, .tag = i, .data = {.bytes = 1000}});
    }
  });
  const double turn_s = L + 1000 * G + o_r + L;
  CHECK(end_s[1] == exactly(o_s + 2 * turn_s + L + 1000 * G + 3 * o_r));
}

TEST_CASE("a sender that computes sends messages without credit only when it waits") {
  const auto end_s = run(machine_with_credits(1), tests::test_placement(2), [](Rank& me) -> Task {
    std::vector<Request> requests;
    for (int i = 0; i < 2; ++i)
      requests.push_back(me.id() == 0 ? me.isend({.to = 1, .data = {.bytes = 1000}})
                                      : me.irecv({.from = 0, .data = {.bytes = 1000}}));
    if (me.id() == 0) me.compute(50 * us);
    co_await me.wait_all(requests);
  });
  CHECK(end_s[0] == exactly(2 * o_s + 50 * us));
  CHECK(end_s[1] == exactly(2 * o_s + 50 * us + L + 1000 * G + o_r));
}

// A message that arrives at the end of a wait found the rank waiting, independent of rounding.
TEST_CASE("a message that arrives at the end of its receiver's wait is processed then") {
  Machine machine = tests::test_machine(3);
  machine.inter.eager_credits = 1;
  for (const double apart_s : {-1e-13, 0.0, 1e-13}) {
    CAPTURE(apart_s);
    const auto end_s = run(machine, tests::test_placement(3), [=](Rank& me) -> Task {
      if (me.id() == 0) co_await me.recv({.from = 1});
      me.compute(me.id() == 0 ? 10 * us : 5 * us + (me.id() == 1 ? apart_s : 0));
      if (me.id() == 1) co_await me.send({.to = 0});
      for (int i = 0; i < 2; ++i) {
        if (me.id() == 2) co_await me.send({.to = 0});
        if (me.id() == 0) co_await me.recv({.from = 2});
      }
    });
    CHECK(end_s[2] == exactly(5 * us + L + L));
  }
}

TEST_CASE("a credit that arrives at the end of its sender's wait is used then") {
  Machine machine = tests::test_machine(3);
  machine.inter.eager_credits = 1;
  for (const double apart_s : {-1e-13, 0.0, 1e-13}) {
    CAPTURE(apart_s);
    const auto end_s = run(machine, tests::test_placement(3), [=](Rank& me) -> Task {
      std::vector<Request> requests;
      for (int i = 0; i < 2; ++i) {
        if (me.id() == 0) requests.push_back(me.isend({.to = 1}));
        if (me.id() == 1) requests.push_back(me.irecv({.from = 0}));
      }
      if (me.id() == 0) co_await me.recv({.from = 2});
      if (me.id() == 0) me.compute(10 * us);
      if (me.id() == 2) me.compute(L + apart_s);
      if (me.id() == 2) co_await me.send({.to = 0});
      co_await me.wait_all(requests);
    });
    CHECK(end_s[1] == exactly(3 * L));
  }
}

TEST_CASE("more credits are never slower, and faster where a stream meets a busy receiver") {
  for (const Seconds late_s : {0.0, 60 * us}) {
    Seconds last_s = 1;
    for (const int credits : {1, 2, 3, 4, 6}) {
      const auto end_s =
          run(machine_with_credits(credits), tests::test_placement(2), stream(12, late_s));
      CAPTURE(credits);
      CHECK(end_s[1] < last_s);
      last_s = end_s[1];
    }
    const auto limited =
        run(machine_with_credits(12), tests::test_placement(2), stream(12, late_s));
    CHECK(limited[1] <= last_s * (1 + rounding));
    CHECK(limited == run(machine_with_overheads(2), tests::test_placement(2), stream(12, late_s)));
  }
}

TEST_CASE("ranks that exchange more messages than credits before receiving finish") {
  const auto program = [](Rank& me) -> Task {
    const int right = (me.id() + 1) % me.size();
    const int left = (me.id() + me.size() - 1) % me.size();
    for (int i = 0; i < 5; ++i)
      co_await me.send({.to = right, .data = {.offset = i, .bytes = 1, .buffer = 1}});
    for (int i = 0; i < 5; ++i) {
      const int from = i < 2 ? runtime::any_source : left;
      co_await me.recv({.from = from, .data = {.offset = i, .bytes = 1}});
    }
    co_await me.send({.to = me.id(), .data = {.bytes = 1}});  // includes itself
    co_await me.send({.to = me.id(), .data = {.bytes = 1}});
    co_await me.recv({.from = me.id(), .data = {.bytes = 1}});
    co_await me.recv({.from = me.id(), .data = {.bytes = 1}});
  };
  Machine machine = machine_with_overheads(4);
  machine.inter.eager_credits = machine.intra.eager_credits = 1;
  for (const int ppn : {1, 2, 4}) run(machine, tests::test_placement(4, ppn), program);
}

TEST_CASE("credits do not change which message a receive matches") {
  const auto program = [](Rank& me) -> Task {
    std::vector<Request> requests;
    for (int i = 0; i < 4; ++i)
      requests.push_back(
          me.id() == 0 ? me.isend({.to = 1, .data = {.offset = 10 * i, .bytes = 10, .buffer = 1}})
                       : me.irecv({.from = 0, .data = {.offset = 10 * i, .bytes = 10}}));
    co_await me.wait_all(requests);
  };
  const Machine machine = machine_with_credits(1);
  const auto outcome = engines::run_ideal(
      {machine, tests::test_placement(2), program},
      {.initial = {{.rank = 0, .where = {.bytes = 40, .buffer = 1}, .content = {0, {0}}}},
       .expected = {{.rank = 1, .where = {.bytes = 40}, .content = {0, {0}}}}});
  CHECK(outcome.problems == std::vector<std::string>{});
}

// Fragments.

namespace {

struct Cut {
  Bytes bytes = 0;
  Bytes fragment = 0;
  int depth = 0;
};

Seconds preparation(Bytes bytes) { return 1.5 * us + 0.7e-9 * static_cast<double>(bytes); }

Machine machine_in_fragments(const Cut& cut) {
  Machine machine = machine_with_overheads(2);
  machine.inter.fragment_max = cut.fragment;
  machine.inter.pipeline_depth = cut.depth;
  machine.inter.fragment_overhead = Piecewise({0, 1.5 * us, 0.7e-9}, {});
  return machine;
}

// The same with one message per fragment: the receiver prepares and requests each fragment, as many
// as the pipeline depth in advance; the sender replies. The machine has no overheads.
runtime::Program fragment_by_fragment(const Cut& cut) {
  return [cut](Rank& me) -> Task {
    std::vector<Request> requests;
    if (me.id() == 1) me.compute(o_s + L);
    const Bytes count = (cut.bytes + cut.fragment - 1) / cut.fragment;
    for (Bytes j = 0; j < count; ++j) {
      const Bytes bytes = std::min(cut.fragment, cut.bytes - j * cut.fragment);
      if (me.id() == 0) {
        co_await me.recv({.from = 1});
        requests.push_back(me.isend({.to = 1, .data = {.bytes = bytes}}));
        continue;
      }
      if (cut.depth > 0 && j >= cut.depth)
        co_await me.wait(requests[static_cast<std::size_t>(j - cut.depth)]);
      me.compute(preparation(bytes));
      co_await me.send({.to = 0});
      requests.push_back(me.irecv({.from = 0, .data = {.bytes = bytes}}));
    }
    const auto waited = me.id() == 1 && cut.depth > 0 ? std::max<Bytes>(0, count - cut.depth) : 0;
    co_await me.wait_all(std::span(requests).subspan(static_cast<std::size_t>(waited)));
  };
}

}  // namespace

TEST_CASE("a message in fragments takes as long as its fragments sent separately") {
  Machine plain = tests::test_machine(2);
  plain.inter.eager_max = 1 << 30;
  constexpr Bytes sizes[] = {1001, 10'500, 200'000};
  constexpr Bytes fragments[] = {700, 2'000, 10'500, 60'000, 300'000};
  constexpr int depths[] = {0, 1, 2, 5};
  const auto check = [&](const auto& levels) {
    const auto [size, fragment, depth] = levels;
    const Cut cut{sizes[size], fragments[fragment], depths[depth]};
    CAPTURE(cut.bytes);
    CAPTURE(cut.fragment);
    CAPTURE(cut.depth);
    const auto each = run(plain, tests::test_placement(2), fragment_by_fragment(cut));
    CHECK(time_of_message(machine_in_fragments(cut), cut.bytes) == exactly(each[1] + o_r));
  };
  tests::for_each_case<3>({std::size(sizes), std::size(fragments), std::size(depths)}, {.seed = 1},
                          check);
}

TEST_CASE("the best fragment size is between the extremes") {
  const auto at = [](Bytes fragment, int depth) {
    return time_of_message(machine_in_fragments({1'000'000, fragment, depth}), 1'000'000);
  };
  CHECK(at(1'000'000, 1) < at(20'000, 1));  // one at a time: nothing overlaps
  for (const int depth : {0, 2, 4}) {
    CAPTURE(depth);
    const Seconds best_s = std::min(at(20'000, depth), at(100'000, depth));
    CHECK(best_s < at(100, depth));
    CHECK(best_s < at(1'000'000, depth));
  }
}

TEST_CASE("a deeper pipeline is never slower, and faster where fragments wait for each other") {
  for (const Bytes fragment : {1'000, 20'000, 300'000}) {
    Seconds last_s = 1;
    for (const int depth : {1, 2, 3, 4, 8, 64, 0}) {
      const Seconds time_s =
          time_of_message(machine_in_fragments({1'000'000, fragment, depth}), 1'000'000);
      CAPTURE(fragment);
      CAPTURE(depth);
      CHECK(time_s <= last_s * (1 + rounding));
      if (depth == 2) CHECK(time_s < 0.8 * last_s);
      last_s = time_s;
    }
  }
}

TEST_CASE("with enough messages on a link, the link determines the time") {
  Machine machine = machine_in_fragments({4'000'000, 100'000, 0});
  const auto to_rank_0 = [](Rank& me) -> Task {
    const Bytes bytes = 4'000'000;
    if (me.id() > 0) co_await me.send({.to = 0, .data = {.bytes = bytes}});
    if (me.id() > 0) co_return;
    std::vector<Request> requests;
    for (int i = 1; i < me.size(); ++i)
      requests.push_back(me.irecv({.from = i, .data = {.bytes = bytes}}));
    co_await me.wait_all(requests);
  };
  machine.topology = tests::test_machine(5).topology;
  machine.inter.fragment_overhead = Piecewise({0, 1.5 * us, 3e-9}, {});  // for a third of the link
  const auto end_s = run(machine, tests::test_placement(5), to_rank_0);
  CHECK(end_s[1] == exactly(o_s + L + 301.5 * us + 2 * L + 4 * 4e-3));
}

TEST_CASE("fragments without a specific overhead cost the same as short messages") {
  Machine machine = machine_in_fragments({.fragment = 1000});
  machine.inter.fragment_overhead.reset();
  machine.inter.send_overhead = Piecewise({0, 2 * us, 1e-9}, {});  // of 0 bytes: 2 us
  // 2.2 us a fragment, 1 us for its bytes.
  CHECK(time_of_message(machine, 10'000) ==
        exactly(2 * us + 10 * us + L + 10 * 2.2 * us + 2 * L + 1 * us + o_r));
}

TEST_CASE("of fragments that are copied out, only the last copy adds to the time") {
  Machine machine = machine_in_fragments({.fragment = 4000});
  machine.inter.copy_Bps = 1e9;
  machine.inter.copy_max = 10'000;
  const Machine plain = machine_in_fragments({.fragment = 4000});
  CHECK(time_of_message(machine, 10'000) == exactly(time_of_message(plain, 10'000) + 2 * us));
  CHECK(time_of_message(machine, 10'001) == time_of_message(plain, 10'001));
}

// Inside a node.

TEST_CASE("over a memory bus fragments are copied in and copied out at the same time") {
  Machine machine = machine_with_overheads(1);
  machine.intra.fragment_max = 10'000;
  machine.intra.fragment_overhead = Piecewise(1 * us);
  const double copy_s = 10'000 * 0.25e-9;  // 2.5 us; with the overhead 3.5 us
  const double start_s = o_s + 3 * bus_L;
  CHECK(time_of_message(machine, 10'000, 2) == exactly(start_s + 3.5 * us + copy_s + o_r));
  CHECK(time_of_message(machine, 40'000, 2) == exactly(start_s + 4 * 3.5 * us + copy_s + o_r));
  machine.intra.copy_Bps = 2e9;  // into shared memory
  CHECK(time_of_message(machine, 40'000, 2) == exactly(start_s + 4 * 6 * us + copy_s + o_r));
  machine.intra.copy_Bps = 100e9;
  machine.intra.fragment_overhead = Piecewise(0.0);
  CHECK(time_of_message(machine, 40'000, 2) == exactly(start_s + 0.1 * us + 4 * copy_s + o_r));
}

TEST_CASE("the best fragment of shared memory is neither the smallest nor the largest") {
  Machine machine = machine_with_overheads(1);
  const Seconds whole_s = time_of_message(machine, 1'000'000, 2);
  std::vector<Seconds> times;
  for (const Bytes fragment : {500, 4'000, 32'000, 256'000, 1'000'000}) {
    machine.intra.fragment_max = fragment;
    times.push_back(time_of_message(machine, 1'000'000, 2));
    CHECK(times.back() > whole_s);
  }
  const auto best = std::min_element(times.begin(), times.end());
  CHECK(best != times.begin());
  CHECK(best != times.end() - 1);
  CHECK(std::is_sorted(times.begin(), best, std::greater<>()));
  CHECK(std::is_sorted(best, times.end()));
  CHECK(times.back() == close_to(2 * whole_s, 0.02));  // copied in, then out
}

// Both engines.

namespace {

// Bursts of short and long messages to both neighbours, with work between.
Task bursts(Rank& me, std::uint64_t seed) {
  tests::Draw mine(seed + static_cast<std::uint64_t>(me.id()));
  const int neighbours[] = {(me.id() + 1) % me.size(), (me.id() + me.size() - 1) % me.size()};
  for (int round = 0; round < 3; ++round) {
    std::vector<Request> requests;
    tests::Draw sizes(seed + 1000 * static_cast<std::uint64_t>(round));  // as all ranks draw them
    for (int i = 0; i < 10; ++i) {
      const auto bytes = static_cast<Bytes>(sizes.below(i % 3 == 0 ? 40'000 : 3'000));
      for (const int other : neighbours) {
        requests.push_back(me.irecv({.from = other, .data = {.bytes = bytes}}));
        requests.push_back(me.isend({.to = other, .data = {.bytes = bytes}}));
      }
      if (mine.below(3) == 0) me.compute(1e-8 * static_cast<double>(mine.below(1000)));
    }
    while (requests.size() > 20) {
      const auto first = co_await me.wait_any(requests);
      requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(first));
    }
    co_await me.wait_all(requests);
  }
}

Machine tuned_machine(const tests::Shape& shape, int credits) {
  Machine machine = tests::machine_of(shape);
  for (MessageProtocol* each : {&machine.inter, &machine.intra}) {
    each->eager_credits = credits;
    each->fragment_max = 9'000;
    each->pipeline_depth = 2;
  }
  return machine;
}

}  // namespace

TEST_CASE("the engines agree on credits and fragments") {
  const auto shapes = tests::shapes_of_64();
  constexpr std::size_t some_shapes[] = {0, 3, 5, 7};
  auto programs = tests::programs({.bytes = 9'000, .skew_s = 2e-6, .seed = 3});
  for (const std::uint64_t seed : {1, 2, 3, 4, 5})
    programs.push_back({"bursts", [=](Rank& me) { return bursts(me, seed); }});
  const auto check = [&](const auto& levels) {
    const auto [index, credit, program] = levels;
    const tests::Shape& shape = shapes[some_shapes[index]];
    const int credits = credit == 0 ? 1 : 3;
    CAPTURE(shape.name);
    CAPTURE(credits);
    CAPTURE(programs[program].name);
    const Machine machine = tuned_machine(shape, credits);
    const bool is_audited = programs[program].name == "bursts";
    CHECK(tests::disagreement({.machine = machine,
                               .placement = tests::test_placement(20, credits == 1 ? 1 : 4),
                               .program = programs[program].program,
                               .audit = is_audited ? engines::audit_shares : nullptr}) <= 1e-9);
  };
  tests::for_each_case<3>({std::size(some_shapes), 2, programs.size()}, {.seed = 1}, check);
}

TEST_CASE("the engines agree on ranks that all do the same at once") {
  const auto together = [](Rank& me) -> Task {
    for (int round = 0; round < 3; ++round) {
      std::vector<Request> requests;
      for (int i = 0; i < 6; ++i)
        for (int step = 1; step < me.size(); step *= 2) {
          const int right = (me.id() + step) % me.size();
          const int left = (me.id() + me.size() - step) % me.size();
          requests.push_back(me.irecv({.from = left, .data = {.bytes = 2'000}}));
          requests.push_back(me.isend({.to = right, .data = {.bytes = 2'000}}));
        }
      co_await me.wait_all(requests);
      co_await me.sendrecv({.to = me.id() ^ 1, .from = me.id() ^ 1});
    }
  };
  for (const int credits : {1, 2, 4})
    for (const int ppn : {1, 4}) {
      const Machine machine = tuned_machine(tests::shapes_of_64()[0], credits);
      CAPTURE(credits);
      CAPTURE(ppn);
      CHECK(tests::disagreement({.machine = machine,
                                 .placement = tests::test_placement(16, ppn),
                                 .program = together}) <= 1e-9);
    }
}
