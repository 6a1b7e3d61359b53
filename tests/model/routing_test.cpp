// SPDX-License-Identifier: BSD-3-Clause
// Messages over several paths, calculated by hand on a network with two shortest paths and a detour
// between two sides (1 us per link, no overheads).
#include <doctest/doctest.h>

#include "platforms/job_links.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/parallel_paths.hpp"
#include "tests/support/sent_messages.hpp"
#include "tests/support/share_audit.hpp"

using namespace tutti;
using namespace tutti::tests;
using platforms::Routing;

namespace {

constexpr double middle = 1e9;
constexpr double L = 3e-6;  // of a shortest path
constexpr double handshake = 3 * L;
constexpr Bytes MB = 1'000'000;

platforms::Machine machine_with(Routing routing, ParallelPaths::Shape shape = {}) {
  platforms::Machine machine = test_machine(4);
  machine.topology = std::make_unique<ParallelPaths>(shape);
  machine.routing = routing;
  return machine;
}

// The end of each rank by engine flow; every solve is audited.
std::vector<Seconds> audited_ends(const platforms::Machine& machine, int procs, int ppn,
                                  std::vector<Sent> messages) {
  const auto placement = test_placement(procs, ppn);
  engines::Job job{machine, placement, all_at_once(std::move(messages))};
  job.audit = engines::audit_shares;
  const auto outcome = engines::run(engines::EngineKind::flow, job);
  for (const auto& problem : outcome.problems) FAIL(problem);
  return outcome.end_s;
}

// Optimal rates are exact to 1e-10.
bool is_close(Seconds one, Seconds other) { return std::abs(one - other) <= 1e-9 * other; }

}  // namespace

TEST_CASE("fixed: all messages use one path") {
  const auto end_s = audited_ends(machine_with(Routing::fixed), 4, 1, {{0, 2, MB}, {1, 3, MB}});
  CHECK(end_s[2] == exactly(handshake + 2 * MB / middle));
}

TEST_CASE("split: a message is divided evenly over the shortest paths") {
  const auto machine = machine_with(Routing::split);
  CHECK(audited_ends(machine, 4, 1, {{0, 2, MB}})[2] == exactly(handshake + MB / (2 * middle)));
  const auto end_s = audited_ends(machine, 4, 1, {{0, 2, MB}, {1, 3, MB}});
  CHECK(end_s[2] == exactly(handshake + MB / middle));
  CHECK(end_s[3] == exactly(handshake + MB / middle));
}

TEST_CASE("adaptive and optimal: what the shortest paths cannot carry takes the detour") {
  for (const auto routing : {Routing::adaptive, Routing::optimal}) {
    const auto machine = machine_with(routing);
    const auto alone_s = audited_ends(machine, 4, 1, {{0, 2, MB}});
    CHECK(is_close(alone_s[2], handshake + MB / (3 * middle)));
    const auto end_s = audited_ends(machine, 4, 1, {{0, 2, MB}, {1, 3, MB}});
    CHECK(is_close(end_s[2], handshake + MB / (1.5 * middle)));
  }
}

TEST_CASE("hashed: each pair of ranks has one of the shortest paths, the same in both engines") {
  const auto machine = machine_with(Routing::hashed);
  std::vector<Sent> messages;
  for (int from = 0; from < 8; ++from)
    for (int to = 8; to < 16; ++to) messages.push_back({from, to, MB / 10});
  const auto placement = test_placement(16, 4);
  const engines::Job job{machine, placement, all_at_once(messages)};
  const auto reference = run_simgrid_in_child(job);
  REQUIRE(reference.problems == "");
  CHECK(largest_difference(flow_ends(job), reference.end_s) <= 1e-9);
  const platforms::JobLinks links(machine, placement);
  std::map<platforms::LinkId, int> uses;
  for (const auto& each : messages) {
    std::vector<platforms::LinkId> route;
    links.route(each.from, each.to, route);
    REQUIRE(route.size() == 3);
    ++uses[route[1]];
  }
  REQUIRE(uses.size() == 2);
  for (const auto& [link, count] : uses) CHECK(count > 16);  // of 64: roughly even
}

TEST_CASE("rails: each rank uses one, and long messages all of them") {
  const ParallelPaths::Shape two_rails{
      .rails = 2, .middle = 1, .detours = 0, .nic_Bps = 1e9, .middle_Bps = 8e9};
  auto machine = machine_with(Routing::fixed, two_rails);
  const double rail = 1e9;
  CHECK(audited_ends(machine, 16, 4, {{0, 8, MB}, {1, 9, MB}})[8] ==
        exactly(handshake + MB / rail));
  CHECK(audited_ends(machine, 16, 4, {{0, 8, MB}, {2, 10, MB}})[8] ==
        exactly(handshake + 2 * MB / rail));
  machine.stripe_from = MB;
  CHECK(audited_ends(machine, 16, 4, {{0, 8, MB}})[8] == exactly(handshake + MB / (2 * rail)));
  CHECK(audited_ends(machine, 16, 4, {{0, 8, MB - 1}})[8] == exactly(handshake + (MB - 1) / rail));
}

TEST_CASE("random traffic: every solve of each routing passes the audit") {
  Draw draw(7);
  for (const auto routing : {Routing::split, Routing::adaptive, Routing::optimal})
    for (int job = 0; job < 5; ++job) {
      std::vector<Sent> messages;
      for (int i = 0; i < 30; ++i) {
        const int from = static_cast<int>(draw.between(0, 7));
        messages.push_back({from, static_cast<int>(draw.between(8, 15)),
                            static_cast<Bytes>(draw.between(1, 2'000'000))});
      }
      const ParallelPaths::Shape shape{
          .rails = draw.between(1, 2), .middle = draw.between(1, 4), .detours = draw.between(0, 3)};
      audited_ends(machine_with(routing, shape), 16, 4, messages);
    }
}

TEST_CASE("without contention, flows share their NICs only") {
  const auto machine = machine_with(Routing::adaptive);
  const auto placement = test_placement(4);
  engines::Job job{machine, placement, all_at_once({{0, 2, MB}, {1, 3, MB}})};
  job.contention = engines::Contention::off;
  const auto alone = engines::run(engines::EngineKind::flow, job);
  REQUIRE(alone.problems.empty());
  CHECK(is_close(alone.end_s[2], handshake + MB / (3 * middle)));
  CHECK(is_close(alone.end_s[3], handshake + MB / (3 * middle)));
  job.program = all_at_once({{0, 2, MB}, {0, 3, MB}});
  const auto shared = engines::run(engines::EngineKind::flow, job);
  CHECK(is_close(shared.end_s[2], handshake + 2 * MB / 4e9));
}

TEST_CASE("engine simgrid and private NICs reject divided messages") {
  const auto machine = machine_with(Routing::adaptive);
  const auto placement = test_placement(4);
  engines::Job job{machine, placement, all_at_once({{0, 2, MB}})};
  const auto rejected = engines::run(engines::EngineKind::simgrid, job);
  REQUIRE(rejected.problems.size() == 1);
  CHECK(rejected.problems.front().find("use engine flow") != std::string::npos);
  job.contention = engines::Contention::private_nics;
  CHECK(engines::run(engines::EngineKind::flow, job).problems.size() == 1);
}
