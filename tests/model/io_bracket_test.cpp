// SPDX-License-Identifier: BSD-3-Clause
// Without congestion, the simulated shuffle is between the dissertation's bounds: at least the
// longer of T_send and T_recv, at most their sum.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "io_models/access.hpp"
#include "io_models/shuffle_model.hpp"
#include "tests/support/simulated_io.hpp"

namespace {

using namespace tutti;
using namespace tutti::io_models;

struct Case {
  Partitioning partitioning;
  bool two_d;
  int procs;
  Bytes side;  // of a process' square block
  int aggregators;
  Bytes buffer;
};

// All sizes and placements that are worth simulating.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto partitioning : {Partitioning::even, Partitioning::static_})
    for (const bool two_d : {false, true})
      for (const int procs : {16, 36, 64, 144})
        for (const Bytes side : {1024, 2048, 4096})
          for (const int aggregators : {1, 2, 3, 4, 6, 12, 16})
            for (const Bytes buffer : {1 << 20, 4 << 20, 12 << 20})
              cases.push_back({partitioning, two_d, procs, side, aggregators, buffer});
  return cases;
}

Grid grid_of(const Case& of) {
  const int side = static_cast<int>(std::lround(std::sqrt(of.procs)));
  return of.two_d ? Grid{side, side} : Grid{of.procs, 1};
}

// The parameters of tests::test_machine; a rendezvous message crosses the route three times.
const platforms::LogGPParameters loggp{
    .set = "test", .L_s = 6e-6, .o_s = 0, .g_s = {}, .G_s_per_B = 1e-9};

ShuffleParameters parameters(const Case& of) {
  const Grid grid = grid_of(of);
  const auto found = parameters_of({.partitioning = of.partitioning,
                                    .layout = of.two_d ? Layout::two_d : Layout::one_d,
                                    .procs = of.procs,
                                    .grid_rows = grid.rows,
                                    .grid_columns = grid.columns,
                                    .rows = of.side,
                                    .row_bytes = of.side,
                                    .aggregators = of.aggregators,
                                    .buffer_bytes = of.buffer});
  REQUIRE(found);
  return *found;
}

// The formula rounds cycles and messages up; these tests use only jobs without remainders.
bool is_even(const Case& of, const ShuffleParameters& n) {
  const auto sent = static_cast<double>(n.n_s * n.n_as) * n.m_s;
  const auto received = static_cast<double>(n.n_r * n.n_ar) * n.m_s;
  const auto data = static_cast<double>(of.side * of.side);
  return sent == data && received == data * of.procs / of.aggregators;
}

struct Counted {
  double own_fraction = 0;         // fraction of all bytes
  std::size_t fewest_senders = 0;  // in a cycle
};
Counted count(const Plan& plan) {
  const auto& redistribution = plan.redistribution();
  Bytes all = 0;
  Bytes own = 0;
  Counted counted{.fewest_senders = static_cast<std::size_t>(redistribution.procs())};
  for (std::int64_t cycle = 0; cycle < redistribution.cycles(); ++cycle) {
    std::vector<Transfer> transfers;
    for (int i = 0; i < redistribution.aggregators(); ++i)
      redistribution.transfers(i, cycle, transfers);
    std::set<RankId> senders;
    for (const Transfer& each : transfers) {
      all += each.bytes;
      own += each.rank == plan.aggregators()[each.aggregator] ? each.bytes : 0;
      senders.insert(each.rank);
    }
    counted.fewest_senders = std::min(counted.fewest_senders, senders.size());
  }
  counted.own_fraction = static_cast<double>(own) / static_cast<double>(all);
  return counted;
}

}  // namespace

TEST_CASE("the simulated shuffle is between the longer side and the sum, where NICs suffice") {
  std::set<std::pair<Partitioning, bool>> kinds;
  int checked = 0;
  for (const Case& each : all_cases()) {
    const ShuffleParameters n = parameters(each);
    if (!is_even(each, n)) continue;
    const auto access = GridAccess::blocks(grid_of(each), each.side * grid_of(each).rows,
                                           each.side * grid_of(each).columns);
    const Plan plan(access, tests::test_placement(each.procs),
                    {.partitioning = each.partitioning,
                     .aggregators = each.aggregators,
                     .buffer_bytes = each.buffer});
    const Counted counted = count(plan);
    // If a cycle has fewer senders than aggregators, the senders' NICs are the limit, which the
    // formula ignores: see the next case.
    if (counted.own_fraction > 0.1 ||
        counted.fewest_senders < static_cast<std::size_t>(each.aggregators))
      continue;
    const auto simulated = tests::simulate(plan, all_cycles(plan.redistribution()), true);
    const auto cost = shuffle_cost(n, loggp, Direction::write);
    CAPTURE(partitioning_names[static_cast<int>(each.partitioning)]);
    CAPTURE(each.two_d);
    CAPTURE(each.procs);
    CAPTURE(each.side);
    CAPTURE(each.aggregators);
    CAPTURE(each.buffer);
    // Data that stay on their rank use no NIC, but the formula charges them.
    CHECK(simulated.end_s >= (0.98 - counted.own_fraction) * std::max(cost.send_s, cost.recv_s));
    CHECK(simulated.end_s <= 1.02 * (cost.send_s + cost.recv_s));
    kinds.emplace(each.partitioning, each.two_d);
    ++checked;
  }
  CHECK(kinds.size() == 4);
  CHECK(checked >= 60);
  MESSAGE(checked);
}
