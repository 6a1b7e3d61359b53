// SPDX-License-Identifier: BSD-3-Clause
// The critical path and link loads in cases calculated by hand, in both timed engines. The machine:
// o_s = 0.3 us, o_r = 0.2 us, routes of two links (1 us and 1 GB/s each: L = 2 us), eager up to
// 1000 B, no copies.
#include "sim/engines/inside/critical_path.hpp"

#include <doctest/doctest.h>

#include "sim/jobs/inside.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using engines::LinkLoad;
using engines::PathStep;
using engines::Transit;
using platforms::Piecewise;
using runtime::Rank;
using runtime::Task;
using runtime::Work;
using tests::close_to;
using tests::exactly;

namespace {

constexpr double us = 1e-6;
constexpr double o_s = 0.3 * us;
constexpr double o_r = 0.2 * us;
constexpr double L = 2 * us;
constexpr double G = 1e-9;

platforms::Machine machine_with_overheads(platforms::HostId hosts) {
  platforms::Machine machine = tests::test_machine(hosts);
  machine.inter.send_overhead = machine.inter.isend_overhead = Piecewise(o_s);
  machine.inter.recv_overhead = Piecewise(o_r);
  return machine;
}

// The observations of one of the engines.
jobs::InsideAnswer seen_by(engines::EngineKind engine, const engines::Job& job) {
  studies::Inside inside({.links = true, .path = true}, job.machine, job.placement);
  const auto outcome = engines::run(engine, {.machine = job.machine,
                                             .placement = job.placement,
                                             .program = job.program,
                                             .observers = inside.observers()});
  TUTTI_CHECK(outcome.problems.empty(), "the job has problems");
  const auto answer = inside.answer();
  TUTTI_CHECK(answer.has_value(), "the path was given up");
  return *answer;
}

jobs::InsideAnswer seen_in_child(const engines::Job& job) {
  REQUIRE_FALSE(engines::load_simgrid());
  auto child = jobs::Forked::start([&]() -> Result<jobs::Answer> {
    jobs::Answer answer;
    answer.inside = seen_by(engines::EngineKind::simgrid, job);
    return answer;
  });
  REQUIRE(child);
  const auto answer = child->collect();
  REQUIRE_MESSAGE(answer, (answer ? "" : answer.error().message));
  return answer->inside;
}

// The steps tile the time from 0 on, and their parts sum to their durations.
void check_tiles(const std::vector<PathStep>& steps) {
  Seconds at_s = 0;
  for (const PathStep& step : steps) {
    CHECK(step.begin_s == at_s);
    CHECK(step.end_s > step.begin_s);
    double sum_s = 0;
    for (const double part : step.parts) {
      CHECK(part >= 0);
      sum_s += part;
    }
    CHECK(sum_s == close_to(step.end_s - step.begin_s, 1e-9));
    at_s = step.end_s;
  }
}

void check_equal(const jobs::InsideAnswer& a, const jobs::InsideAnswer& b) {
  CHECK(a.last_rank == b.last_rank);
  REQUIRE(a.path.size() == b.path.size());
  for (std::size_t i = 0; i < a.path.size(); ++i) {
    CAPTURE(i);
    CHECK(a.path[i].source == b.path[i].source);
    CHECK(a.path[i].destination == b.path[i].destination);
    CHECK(a.path[i].end_s == exactly(b.path[i].end_s));
    for (std::size_t p = 0; p < a.path[i].parts.size(); ++p)
      CHECK(a.path[i].parts[p] == close_to(b.path[i].parts[p], 1e-6));
  }
  REQUIRE(a.links.size() == b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    CAPTURE(a.links[i].link);
    CHECK(a.links[i].link == b.links[i].link);
    CHECK(a.links[i].bytes == b.links[i].bytes);
    CHECK(a.links[i].busy_s == exactly(b.links[i].busy_s));
    CHECK(a.links[i].peak_flows == b.links[i].peak_flows);
  }
}

// The observations of engine `flow`, after checking that `simgrid` has the same.
jobs::InsideAnswer see(const engines::Job& job) {
  const auto seen = seen_by(engines::EngineKind::flow, job);
  check_tiles(seen.path);
  check_equal(seen, seen_in_child(job));
  return seen;
}

double part(const PathStep& step, Transit which) {
  return step.parts[static_cast<std::size_t>(which)];
}
double part(const PathStep& step, Work which) {
  return step.parts[static_cast<std::size_t>(which)];
}

const LinkLoad& load_of(const jobs::InsideAnswer& seen, platforms::LinkId link) {
  for (const LinkLoad& each : seen.links)
    if (each.link == link) return each;
  FAIL("the link carried nothing");
  return seen.links.front();
}

}  // namespace

TEST_CASE("the path of a chain of eager messages goes through every rank") {
  const platforms::Machine machine = machine_with_overheads(3);
  const auto seen = see({machine, tests::test_placement(3), [](Rank& me) -> Task {
                           if (me.id() > 0)
                             co_await me.recv({.from = me.id() - 1, .data = {.bytes = 1000}});
                           me.compute(us);
                           if (me.id() < 2)
                             co_await me.send({.to = me.id() + 1, .data = {.bytes = 1000}});
                         }});
  CHECK(seen.last_rank == 2);
  REQUIRE(seen.path.size() == 5);
  const auto& path = seen.path;
  CHECK(part(path[0], Work::compute) == exactly(us));
  CHECK(part(path[0], Work::send_overhead) == exactly(o_s));
  CHECK(path[1].source == 0);
  CHECK(path[1].destination == 1);
  CHECK(part(path[1], Transit::latency) == exactly(L));
  CHECK(part(path[1], Transit::transfer) == exactly(1000 * G));
  CHECK(part(path[1], Transit::sharing) == 0);
  CHECK(part(path[2], Work::recv_overhead) == exactly(o_r));
  CHECK(path[3].source == 1);
  CHECK(path[4].source == 2);
  CHECK(path[4].end_s == exactly(3 * us + 2 * (o_s + L + 1000 * G + o_r)));
}

TEST_CASE("a rendezvous costs a handshake, and a late receiver moves the path to itself") {
  const platforms::Machine machine = machine_with_overheads(2);
  const auto job = [&](Seconds late_s) {
    return see({machine, tests::test_placement(2), [late_s](Rank& me) -> Task {
                  if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 50'000}});
                  if (me.id() == 1) {
                    me.compute(late_s);
                    co_await me.recv({.from = 0, .data = {.bytes = 50'000}});
                  }
                }});
  };
  const auto early = job(us).path;
  REQUIRE(early.size() == 3);
  CHECK(early[0].source == 0);
  CHECK_FALSE(early[1].late_receiver);
  CHECK(part(early[1], Transit::handshake) == exactly(2 * L));
  CHECK(part(early[1], Transit::latency) == exactly(L));
  CHECK(part(early[1], Transit::transfer) == exactly(50'000 * G));
  const auto late = job(10 * us).path;
  REQUIRE(late.size() == 3);
  CHECK(late[0].source == 1);
  CHECK(part(late[0], Work::compute) == exactly(10 * us));
  CHECK(late[1].late_receiver);
  CHECK(late[1].waited_s == exactly(10 * us - o_s - L));
  CHECK(part(late[1], Transit::handshake) == exactly(L));
  CHECK(part(late[1], Transit::latency) == exactly(L));
  CHECK(late[2].end_s == exactly(10 * us + 2 * L + 50'000 * G + o_r));
}

TEST_CASE("a sender that waits for its rendezvous continues the path") {
  const platforms::Machine machine = machine_with_overheads(2);
  const auto seen = see({machine, tests::test_placement(2), [](Rank& me) -> Task {
                           if (me.id() == 1)
                             co_await me.recv({.from = 0, .data = {.bytes = 50'000}});
                           if (me.id() == 1) co_return;
                           co_await me.send({.to = 1, .data = {.bytes = 50'000}});
                           me.compute(30 * us);
                         }});
  CHECK(seen.last_rank == 0);
  REQUIRE(seen.path.size() == 3);
  CHECK(seen.path[1].kind == PathStep::Kind::message);
  CHECK(part(seen.path[2], Work::compute) == exactly(30 * us));
}

TEST_CASE("a message without handshake continues its send or its receive, whichever is later") {
  platforms::Machine machine = machine_with_overheads(2);
  const auto check = [&](Seconds late_s, std::size_t steps) {
    const auto path = see({machine, tests::test_placement(2),
                           [late_s](Rank& me) -> Task {
                             if (me.id() == 0)
                               co_await me.send({.to = 1, .data = {.bytes = 50'000}});
                             if (me.id() == 1) {
                               me.compute(late_s);
                               co_await me.recv({.from = 0, .data = {.bytes = 50'000}});
                             }
                           }})
                          .path;
    REQUIRE(path.size() == steps);
    CHECK(path[0].source == (late_s > o_s ? 1 : 0));
    CHECK(path[1].late_receiver == (late_s > o_s));
    CHECK(part(path[1], Transit::handshake) == 0);
    CHECK(part(path[1], Transit::latency) == exactly(L));
  };
  machine.inter.rendezvous = platforms::Rendezvous::direct;
  for (const Seconds late_s : {0.0, 1 * us, 10 * us}) check(late_s, 2);
  machine.inter.detached_max = 100'000;
  for (const Seconds late_s : {0.0, 1 * us, 10 * us}) check(late_s, 3);
}

TEST_CASE("the load of a link includes envelopes and what an efficiency takes") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.inter.envelope = 16;
  machine.inter.efficiency = Piecewise(0.25);
  const auto seen = see({machine, tests::test_placement(2), [](Rank& me) -> Task {
                           if (me.id() == 0) co_await me.send({.to = 1, .data = {}});
                           if (me.id() == 1) co_await me.recv({.from = 0, .data = {}});
                         }});
  CHECK(load_of(seen, 0).bytes == 64);
  CHECK(load_of(seen, 0).busy_s == exactly(64 * G));
  CHECK(part(seen.path.at(1), Transit::transfer) == exactly(64 * G));
  CHECK(part(seen.path.at(1), Transit::sharing) == 0);
}

TEST_CASE("an eager message waits until the NIC has sent the previous one") {
  platforms::Machine machine = machine_with_overheads(3);
  machine.inter.gap = Piecewise(5 * us);
  const auto path = see({machine, tests::test_placement(3),
                         [](Rank& me) -> Task {
                           if (me.id() > 0) co_await me.recv({.from = 0, .data = {.bytes = 8}});
                           if (me.id() > 0) co_return;
                           co_await me.send({.to = 1, .data = {.bytes = 8}});
                           co_await me.send({.to = 2, .data = {.bytes = 8}});
                         }})
                        .path;
  REQUIRE(path.size() == 3);
  CHECK(path[1].destination == 2);
  CHECK(part(path[0], Work::send_overhead) == exactly(2 * o_s));
  CHECK(part(path[1], Transit::nic) == exactly(5 * us - o_s));
  CHECK(path[2].end_s == exactly(o_s + 5 * us + L + 8 * G + o_r));
}

TEST_CASE("the extra latency of an eager message is latency, not a wait for the NIC") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.inter.extra_latency = Piecewise(4 * us);
  const auto path = see({machine, tests::test_placement(2),
                         [](Rank& me) -> Task {
                           if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 8}});
                           if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = 8}});
                         }})
                        .path;
  REQUIRE(path.size() == 3);
  CHECK(part(path[1], Transit::nic) == 0);
  CHECK(part(path[1], Transit::latency) == exactly(L + 4 * us));
}

TEST_CASE("two messages over one link: bytes, utilization, peak, and cost of sharing") {
  const platforms::Machine machine = machine_with_overheads(3);
  const auto seen = see({machine, tests::test_placement(3), [](Rank& me) -> Task {
                           const Bytes bytes = me.id() == 1 ? 1'000'000 : 3'000'000;
                           if (me.id() > 0) co_await me.send({.to = 0, .data = {.bytes = bytes}});
                           if (me.id() > 0) co_return;
                           std::vector<runtime::Request> both{
                               me.irecv({.from = 1, .data = {.bytes = 1'000'000}}),
                               me.irecv({.from = 2, .data = {.bytes = 3'000'000}})};
                           co_await me.wait_all(both);
                         }});
  // Each gets half until 1 MB is through (2 ms), then the other has the link: 4 ms in all.
  REQUIRE(seen.links.size() == 3);
  const LinkLoad& down = load_of(seen, 1);
  CHECK(down.bytes == 4'000'000);
  CHECK(down.peak_flows == 2);
  CHECK(down.busy_s == exactly(4e-3));
  CHECK(load_of(seen, 2).bytes == 1'000'000);
  CHECK(load_of(seen, 2).busy_s == exactly(2e-3));
  CHECK(load_of(seen, 4).peak_flows == 1);
  REQUIRE(seen.path.size() == 3);
  CHECK(part(seen.path[1], Transit::transfer) == exactly(3e-3));
  CHECK(part(seen.path[1], Transit::sharing) == exactly(1e-3));
  REQUIRE(seen.path_links.size() == 2);
  CHECK(seen.path_links[0].load.link == 1);
  CHECK(seen.path_links[0].messages == 1);
  CHECK(seen.path_links[0].flow_s == exactly(4e-3));
}

TEST_CASE("consecutive flows do not count as concurrent, and gaps between them are not busy") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.inter.send_overhead = Piecewise(0.0);
  machine.inter.gap = Piecewise(us);
  const auto seen = see({machine, tests::test_placement(2), [](Rank& me) -> Task {
                           if (me.id() == 0) {
                             co_await me.send({.to = 1, .data = {.bytes = 1000}});  // 1 us each
                             co_await me.send({.to = 1, .data = {.bytes = 1000}});
                             me.compute(7 * us);
                             co_await me.send({.to = 1, .data = {.bytes = 500}});
                           }
                           for (int i = 0; me.id() == 1 && i < 3; ++i)
                             co_await me.recv({.from = 0, .data = {.bytes = 1000}});
                         }});
  CHECK(load_of(seen, 0).bytes == 2500);
  CHECK(load_of(seen, 0).peak_flows == 1);
  CHECK(load_of(seen, 0).busy_s == exactly(2.5 * us));
}

TEST_CASE("both engines observe the same path and links for any program and machine") {
  const tests::PatternArgs args{.bytes = 20'000, .skew_s = 3e-6, .seed = 5};
  const auto shapes = tests::shapes_of_64();
  const auto programs = tests::programs(args);
  const auto placement = tests::test_placement(24, 2);
  const auto see_case = [&](const auto& levels) {
    const auto [shape, program, as_smpi] = levels;
    CAPTURE(shapes[shape].name);
    CAPTURE(programs[program].name);
    CAPTURE(as_smpi);
    platforms::Machine machine = tests::machine_of(shapes[shape]);
    if (as_smpi == 1) tests::make_smpis(machine);
    see({machine, placement, programs[program].program});
  };
  tests::for_each_case<3>({shapes.size(), programs.size(), 2},
                          {.strength = 1, .seed = 5, .times = 4}, see_case);
}

TEST_CASE("a path with too many concurrent steps is given up") {
  const platforms::Machine machine = machine_with_overheads(4);
  const auto placement = tests::test_placement(4);
  engines::CriticalPath path(4, 3);
  engines::run(engines::EngineKind::flow, {.machine = machine,
                                           .placement = placement,
                                           .program = [](Rank& me) -> Task {
                                             for (int i = 0; i < 4; ++i)
                                               co_await me.sendrecv({.to = (me.id() + 1) % 4,
                                                                     .send = {.bytes = 2000},
                                                                     .from = (me.id() + 3) % 4,
                                                                     .recv = {.bytes = 2000}});
                                           },
                                           .observers = {&path}});
  CHECK(path.is_given_up());
  CHECK(path.steps().empty());
}

TEST_CASE("a path may end before the programs do: at the last of the given ends") {
  const platforms::Machine machine = machine_with_overheads(3);
  const auto placement = tests::test_placement(3);
  engines::CriticalPath path(3);
  Seconds end_s = 0;
  engines::run(engines::EngineKind::flow,
               {.machine = machine,
                .placement = placement,
                .program = [&](Rank& me) -> Task {
                  me.compute((me.id() == 1 ? 40 : 10) * us);
                  path.end_at(me.id());
                  if (me.id() == 1) end_s = me.now();
                  me.compute(100 * us);
                  co_await me.sendrecv({.to = (me.id() + 1) % 3, .from = (me.id() + 2) % 3});
                },
                .observers = {&path}});
  CHECK(path.last_rank() == 1);
  const auto steps = path.steps();
  check_tiles(steps);
  REQUIRE(steps.size() == 1);
  CHECK(steps.back().end_s == end_s);
}

TEST_CASE("a send that waits for a credit is on the path, and the path still tiles the time") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.inter.eager_credits = 1;
  const auto placement = tests::test_placement(2);
  const auto seen = see({machine, placement, [](Rank& me) -> Task {
                           for (int i = 0; i < 3; ++i) {
                             if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 1000}});
                             if (me.id() == 1)
                               co_await me.recv({.from = 0, .data = {.bytes = 1000}});
                           }
                           if (me.id() == 0) me.compute(50 * us);
                         }});
  CHECK(seen.last_rank == 0);
  REQUIRE_FALSE(seen.path.empty());
  // The third message waits from its send until the second one's credit returns.
  const double turn_s = 2 * L + 1000 * G + o_r;
  double waited_s = 0;
  for (const PathStep& step : seen.path)
    if (step.kind == PathStep::Kind::message)
      waited_s += step.parts[static_cast<std::size_t>(Transit::nic)];
  CHECK(waited_s == exactly(2 * (turn_s - o_s)));
  CHECK(seen.path.back().end_s == exactly(o_s + 2 * turn_s + 50 * us));
}

TEST_CASE("the preparation of the first fragment is part of the handshake") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.inter.fragment_max = 4000;
  machine.inter.fragment_overhead = Piecewise(7 * us);
  const auto placement = tests::test_placement(2);
  const auto seen = see({machine, placement, [](Rank& me) -> Task {
                           if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 12'000}});
                           if (me.id() == 1)
                             co_await me.recv({.from = 0, .data = {.bytes = 12'000}});
                         }});
  for (const PathStep& step : seen.path) {
    if (step.kind != PathStep::Kind::message) continue;
    CHECK(step.parts[static_cast<std::size_t>(Transit::handshake)] == exactly(2 * L + 7 * us));
    CHECK(step.parts[static_cast<std::size_t>(Transit::transfer)] == exactly(18 * us));
    CHECK(step.parts[static_cast<std::size_t>(Transit::sharing)] == 0);
  }
}
