// SPDX-License-Identifier: BSD-3-Clause
// The nine algorithms of the dissertation's Table 4.1 on a machine that matches LogGP: one process
// per node, every message eager, no copies, NICs without other users. The formulas are within 2%;
// for the others, this file gives the P, m and parameters for which they are, and the reason
// elsewhere.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "algorithms/models/message_cost.hpp"
#include "platforms/parameters/models.hpp"
#include "sim/engines/engine.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;

namespace {

constexpr double bandwidth_Bps = 1.5e9;
constexpr double o_s = 1.5e-6;
constexpr double latency_s = 1.84e-6;

platforms::Machine loggp_machine(int hosts, double gap_s) {
  platforms::Machine machine = tests::test_machine(static_cast<platforms::HostId>(hosts));
  machine.topology = std::make_unique<tests::TwoLinkTopology>(
      hosts, platforms::Link{.bandwidth_Bps = bandwidth_Bps, .latency_s = latency_s / 2});
  auto& protocol = machine.inter;
  protocol.eager_max = Bytes{1} << 40;
  protocol.send_overhead = protocol.isend_overhead = protocol.recv_overhead =
      platforms::Piecewise(o_s);
  protocol.gap = platforms::Piecewise(gap_s);
  protocol.nic_order = platforms::NicOrder::fifo;  // LogGP's
  return machine;
}

struct Case {
  std::string_view collective;
  std::string_view algorithm;
  std::function<bool(int procs, Bytes bytes, double gap_s)> holds;
};

bool always(int, Bytes, double) { return true; }
bool is_power_of_two(int procs) { return std::has_single_bit(static_cast<unsigned>(procs)); }

const Case cases[] = {
    {"bcast", "pipeline", always},  // the chain of one line, unsegmented
    // ceil(log2 P) hops in a row need a rank with that number of bits, all set.
    {"bcast", "binomial", [](int procs, Bytes, double) { return is_power_of_two(procs); }},
    // A level costs a hop and one more send only if its last rank is a second child: P = 2^k - 1.
    // That send follows max(g, o, m G) after the first; the formula has g + (m-1) G.
    {"bcast", "binary_tree",
     [](int procs, Bytes bytes, double gap_s) {
       return is_power_of_two(procs + 1) && gap_s == 0 && bytes >= 4096;
     }},
    {"allgather", "ring", always},
    // Pairs of neighbours; with an odd P the library runs the ring.
    {"allgather", "neighbor", [](int procs, Bytes, double) { return procs % 2 == 0; }},
    // log2 P steps; for other P the library runs Bruck's algorithm, whose steps are rounded up.
    {"allgather", "recursive_doubling",
     [](int procs, Bytes, double) { return is_power_of_two(procs); }},
    // Each of P-1 sends and P-1 receives takes o, where the formula has 2 (P-1) g; its first
    // message is hidden among many others; and it has no (P-1) m G.
    {"alltoall", "linear",
     [](int procs, Bytes bytes, double gap_s) {
       return procs >= 128 && bytes <= 1024 && gap_s == o_s;
     }},
    // A step is a hop of two overheads; the formula has g instead of the second.
    {"alltoall", "pairwise", [](int, Bytes, double gap_s) { return gap_s == o_s; }},
    // The formula uses a real log2 P, and P m / 2 bytes in each step.
    {"alltoall", "modified_bruck", [](int procs, Bytes, double) { return is_power_of_two(procs); }},
};

double simulated(const platforms::Machine& machine, const algorithms::Algorithm& algorithm,
                 const algorithms::CollectiveArgs& call) {
  const auto placement = tests::test_placement(static_cast<int>(machine.host_count()));
  const auto outcome =
      engines::run(engines::EngineKind::flow,
                   {.machine = machine,
                    .placement = placement,
                    .program = [&](runtime::Rank& me) { return algorithm.program(me, call); },
                    .contention = engines::Contention::off});
  REQUIRE(outcome.problems.empty());
  return *std::max_element(outcome.end_s.begin(), outcome.end_s.end());
}

}  // namespace

TEST_CASE("formulas of Table 4.1 and simulation without contention agree within 2%") {
  for (const auto& [collective, algorithm, holds] : cases) {
    const auto* found = algorithms::find_algorithm(collective, algorithm);
    REQUIRE(found != nullptr);
    int held = 0;
    for (const int procs : {2, 3, 4, 7, 8, 12, 16, 31, 32, 64, 127, 128})
      for (const Bytes bytes : {Bytes{1}, Bytes{128}, Bytes{1024}, Bytes{65536}, Bytes{1 << 20}})
        for (const double gap_s : {0.0, o_s / 3, o_s}) {
          if (!holds(procs, bytes, gap_s)) continue;
          ++held;
          CAPTURE(algorithm);
          CAPTURE(procs);
          CAPTURE(bytes);
          CAPTURE(gap_s);
          const auto machine = loggp_machine(procs, gap_s);
          const algorithms::CollectiveArgs call{.message_bytes = bytes};
          const double formula_s = algorithms::models::loggp(*found, {.procs = procs, .call = call},
                                                             platforms::derived_loggp(machine));
          const double simulated_s = simulated(machine, *found, call);
          CHECK(std::fabs(formula_s - simulated_s) <= 0.02 * simulated_s);
        }
    CHECK(held >= 3);
  }
}
