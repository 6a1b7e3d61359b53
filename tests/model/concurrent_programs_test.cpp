// SPDX-License-Identifier: BSD-3-Clause
// Ranks that run several programs at a time: times by hand to 1e-9, on both timed engines.
#include <doctest/doctest.h>

#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/bcast/bcast.hpp"
#include "sim/runtime/concurrent.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using platforms::Piecewise;
using runtime::Program;
using runtime::Rank;
using runtime::Request;
using runtime::Task;
using tests::exactly;

namespace {

constexpr double us = 1e-6;
constexpr double o_s = 0.3 * us;
constexpr double o_r = 0.2 * us;
constexpr double L = 2 * us;
constexpr double hop = o_s + L + o_r;  // an empty message whose receive is posted

platforms::Machine machine_of(platforms::HostId hosts) {
  platforms::Machine machine = tests::test_machine(hosts);
  machine.inter.send_overhead = machine.inter.isend_overhead = Piecewise(o_s);
  machine.inter.recv_overhead = Piecewise(o_r);
  return machine;
}

// The end of each rank, on which both engines agree.
std::vector<Seconds> ends(const platforms::Machine& machine, const Program& program) {
  const auto placement = tests::test_placement(machine.topology->host_count());
  const engines::Job job{.machine = machine, .placement = placement, .program = program};
  CHECK(tests::disagreement(job) <= 1e-9);
  return tests::flow_ends(job);
}

// Receives an empty message and passes it on.
Program pass_on(int from, int to) {
  return [from, to](Rank& me) -> Task {
    co_await me.recv({.from = from, .data = {}});
    co_await me.send({.to = to, .data = {}});
  };
}

Program send_after(Seconds delay_s, int to) {
  return [delay_s, to](Rank& me) -> Task {
    me.compute(delay_s);
    co_await me.send({.to = to, .data = {}});
  };
}

Program receive(int from) {
  return [from](Rank& me) -> Task { co_await me.recv({.from = from, .data = {}}); };
}

Program nothing() {
  return [](Rank&) -> Task { co_return; };
}

}  // namespace

TEST_CASE("a program continues while another one of the rank waits") {
  const auto machine = machine_of(5);
  for (const bool late_first : {true, false}) {
    const auto end_s = ends(machine, [&](Rank& me) -> Task {
      std::vector<Program> programs;
      switch (me.id()) {
        case 0:
          programs = {pass_on(1, 3), pass_on(2, 4)};
          break;
        case 1:
          programs = {send_after(0, 0), nothing()};
          break;
        case 2:
          programs = {nothing(), send_after(100 * us, 0)};
          break;
        case 3:
          programs = {receive(0), nothing()};
          break;
        default:
          programs = {nothing(), receive(0)};
      }
      if (late_first) std::swap(programs[0], programs[1]);
      return runtime::run_concurrently(me, programs);
    });
    CHECK(end_s[3] == exactly(2 * hop));
    CHECK(end_s[4] == exactly(100 * us + 2 * hop));
    CHECK(end_s[0] == exactly(100 * us + hop + o_s));
  }
}

TEST_CASE("the programs of a rank share its clock, and the first one goes first") {
  const auto machine = machine_of(3);
  const auto busy = [](int from, Seconds then_s) -> Program {
    return [from, then_s](Rank& me) -> Task {
      co_await me.recv({.from = from, .data = {}});
      me.compute(then_s);
    };
  };
  const auto end_s = ends(machine, [&](Rank& me) -> Task {
    if (me.id() == 1) return runtime::run_concurrently(me, {send_after(0, 0)});
    if (me.id() == 2) return runtime::run_concurrently(me, {nothing(), send_after(us, 0)});
    return runtime::run_concurrently(me, {busy(1, 10 * us), busy(2, 5 * us)});
  });
  CHECK(end_s[0] == exactly(hop + 10 * us + o_r + 5 * us));
}

TEST_CASE("a program may wait for any of its requests, and run programs itself") {
  const auto machine = machine_of(5);
  std::vector<int> order;
  const auto any = [&order](std::vector<int> sources) -> Program {
    return [&order, sources](Rank& me) -> Task {
      std::vector<int> from = sources;
      std::vector<Request> requests;
      for (const int each : from) requests.push_back(me.irecv({.from = each, .data = {}}));
      while (!requests.empty()) {
        const std::size_t chosen = co_await me.wait_any(requests);
        order.push_back(from[chosen]);
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(chosen));
        requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(chosen));
      }
    };
  };
  const auto both = [&](std::vector<Program> programs) -> Program {
    return [programs](Rank& me) { return runtime::run_concurrently(me, programs); };
  };
  const auto placement = tests::test_placement(5);
  const engines::Job job{
      .machine = machine, .placement = placement, .program = [&](Rank& me) -> Task {
        // The messages leave at 30, 10, 40 and 20 us.
        const auto send = send_after(10 * us * ((me.id() * 3) % 5), 0);
        if (me.id() == 0)
          return runtime::run_concurrently(me, {any({1, 2}), both({any({3}), any({4})})});
        if (me.id() < 3) return runtime::run_concurrently(me, {send});
        if (me.id() == 3) return runtime::run_concurrently(me, {nothing(), both({send})});
        return runtime::run_concurrently(me, {nothing(), both({nothing(), send})});
      }};
  CHECK(tests::flow_ends(job)[0] == exactly(40 * us + hop));
  CHECK(order == std::vector{2, 4, 1, 3});
}

TEST_CASE("two collectives at a time take at least as long as one, at most as both in turn") {
  const auto machine = machine_of(8);
  const auto of = [](const algorithms::Algorithm& algorithm) -> Program {
    return [&algorithm](Rank& me) { return algorithm.program(me, {.message_bytes = 64}); };
  };
  const auto end_s = [&](const Program& program) {
    return std::ranges::max(ends(machine, program));
  };
  const auto together = [](std::vector<Program> programs) -> Program {
    return [programs](Rank& me) { return runtime::run_concurrently(me, programs); };
  };
  const Program first = of(algorithms::bcast::pipeline);
  const Program second = of(algorithms::allreduce::recursive_doubling);
  const Program in_turn = [&](Rank& me) -> Task {
    co_await first(me);
    co_await second(me);
  };
  CHECK(end_s(together({first})) == end_s(first));
  CHECK(end_s(together({first, second})) >= std::max(end_s(first), end_s(second)));
  CHECK(end_s(together({first, second})) < end_s(in_turn));
}

TEST_CASE("errors of a program end the rank") {
  const auto machine = machine_of(2);
  const auto placement = tests::test_placement(2);
  const engines::Job job{
      .machine = machine, .placement = placement, .program = [](Rank& me) -> Task {
        return runtime::run_concurrently(me, {[](Rank&) -> Task {
                                           throw std::runtime_error("of a program");
                                           co_return;
                                         }});
      }};
  CHECK_THROWS_WITH(tests::flow_ends(job), "of a program");
}

TEST_CASE("a rank whose programs all wait in vain is deadlocked") {
  const auto machine = machine_of(2);
  const auto placement = tests::test_placement(2);
  const engines::Job job{
      .machine = machine, .placement = placement, .program = [](Rank& me) -> Task {
        const int other = 1 - me.id();
        return runtime::run_concurrently(me, {receive(other), receive(other)});
      }};
  const auto outcome = engines::run_flow(job);
  REQUIRE_FALSE(outcome.problems.empty());
}
