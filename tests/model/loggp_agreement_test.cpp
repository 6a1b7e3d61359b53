// SPDX-License-Identifier: BSD-3-Clause
// Where the LogGP formulas of the dissertation's Table 4.1 are exact, the simulation without
// contention gives the same time; elsewhere the tests document the difference and its reason.
//
// Equal parameters: o_s = o_r = o, L the route's latency, eager messages of m bytes, no copies. The
// table charges (m-1) G for a message, the simulation m bytes over the bandwidth: the bandwidth is
// chosen so that the two are the same number.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "algorithms/models/message_cost.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using algorithms::CollectiveArgs;
using tests::exactly;

namespace {

constexpr Bytes m = 1000;
constexpr double o = 0.4e-6;
constexpr double L = 2e-6;  // two links of 1 us
constexpr double G = 1e-9;
constexpr double body = (m - 1) * G;

platforms::Machine equal_machine(platforms::HostId hosts, double bandwidth_Bps = m / body) {
  platforms::Machine machine = tests::test_machine(hosts);
  machine.topology = std::make_unique<tests::TwoLinkTopology>(
      hosts, platforms::Link{.bandwidth_Bps = bandwidth_Bps, .latency_s = L / 2});
  machine.inter.send_overhead = machine.inter.isend_overhead = machine.inter.recv_overhead =
      platforms::Piecewise(o);
  machine.inter.nic_order = platforms::NicOrder::fifo;  // LogGP's
  return machine;
}

// Tests of all process counts use both engines up to 9, and for multiples of 8 and their
// successors.
bool runs_in_both_engines(int procs) {
  return procs <= 9 || procs % 8 <= 1 || tests::full_products();
}

double simulated(const platforms::Machine& machine, std::string_view algorithm,
                 const CollectiveArgs& call, std::string_view collective = "bcast") {
  const auto* found = algorithms::find_algorithm(collective, algorithm);
  REQUIRE(found != nullptr);
  const auto procs = static_cast<int>(machine.host_count());
  const engines::Job job{machine, tests::test_placement(procs),
                         [&](runtime::Rank& me) { return found->program(me, call); }};
  return runs_in_both_engines(procs) ? tests::end_of(job) : tests::flow_end_of(job);
}

double formula(std::string_view algorithm, int procs, const CollectiveArgs& call,
               std::string_view collective = "bcast") {
  const platforms::LogGPParameters parameters{
      .set = "test", .L_s = L, .o_s = o, .g_s = {}, .G_s_per_B = G};
  return algorithms::models::loggp(*algorithms::find_algorithm(collective, algorithm),
                                   {.procs = procs, .call = call}, parameters);
}

// The binomial tree, message by message: a rank's j-th child is served j sends after the first.
double binomial_end(unsigned rank) {
  if (rank == 0) return 0;
  const unsigned parent = rank - std::bit_floor(rank);
  const unsigned first_child = std::bit_floor(parent) * 2;  // parent + 2^j for all 2^j > parent
  const unsigned index =
      std::bit_width(rank - parent) - (parent == 0 ? 1 : std::bit_width(first_child));
  return binomial_end(parent) + index * std::max(o, body) + L + 2 * o + body;
}

}  // namespace

TEST_CASE("a chain's time equals the formula for every number of processes") {
  for (int procs = 2; procs <= 64; ++procs) {
    CAPTURE(procs);
    const CollectiveArgs call{.message_bytes = m, .fanout = 1};
    CHECK(simulated(equal_machine(procs), "chain", call) ==
          exactly((procs - 1) * (L + 2 * o + body)));
    CHECK(formula("chain", procs, call) == exactly((procs - 1) * (L + 2 * o + body)));
  }
}

TEST_CASE(
    "a binomial broadcast's time equals the formula for powers of two, otherwise it is below") {
  // The formula counts ceil(log2 P) hops. A rank with this number of hops exists only if P is a
  // power of two (rank P-1, all bits set); for other P the last message is a later send of a rank
  // nearer to the root, which costs max(o, (m-1)G) for each preceding send instead of a hop.
  for (int procs = 2; procs <= 64; ++procs) {
    CAPTURE(procs);
    const CollectiveArgs call{.message_bytes = m};
    const double time_s = simulated(equal_machine(procs), "binomial", call);
    double expected_s = 0;
    for (int rank = 1; rank < procs; ++rank)
      expected_s = std::max(expected_s, binomial_end(static_cast<unsigned>(rank)));
    CHECK(time_s == exactly(expected_s));
    if (std::has_single_bit(static_cast<unsigned>(procs))) {
      CHECK(time_s == exactly(formula("binomial", procs, call)));
    } else {
      CHECK(time_s < formula("binomial", procs, call));
    }
  }
}

TEST_CASE("above the eager limit the formula omits the handshake, two latencies per hop") {
  for (int procs : {2, 5, 16}) {
    CAPTURE(procs);
    platforms::Machine machine = equal_machine(procs);
    machine.inter.eager_max = machine.inter.detached_max = m - 1;
    const CollectiveArgs call{.message_bytes = m, .fanout = 1};
    CHECK(simulated(machine, "chain", call) ==
          exactly(formula("chain", procs, call) + (procs - 1) * 2 * L));
  }
}

TEST_CASE("a segmented chain's time equals the formula while no rank waits for its own sends") {
  // P - 1 hops for the first segment; the others follow, one segment apart. Eager sends are spaced
  // by max(o_s + o_r, body of a segment) at every inner rank.
  const Bytes segment = 100;
  const CollectiveArgs call{.message_bytes = 10 * segment, .segment_bytes = segment, .fanout = 1};
  for (int procs : {3, 8, 33}) {
    CAPTURE(procs);
    const double bandwidth_Bps = m / body;
    const double hop = L + 2 * o + segment / bandwidth_Bps;
    const double step = std::max(2 * o, segment / bandwidth_Bps);
    CHECK(simulated(equal_machine(procs), "chain", call) == exactly((procs - 1) * hop + 9 * step));
  }
}

TEST_CASE("an allgather's time equals the formula for every number of processes") {
  // Every step is an exchange of more bytes: each is charged one G less than the simulation takes.
  // Up to 16 blocks travel together, and all stay eager.
  const CollectiveArgs call{.message_bytes = m / 16};
  for (const char* name : {"bruck", "recursive_doubling"})
    for (int procs = 2; procs <= 33; ++procs) {
      CAPTURE(name);
      CAPTURE(procs);
      const int steps = std::bit_width(static_cast<unsigned>(procs - 1));
      CHECK(simulated(equal_machine(procs, 1 / G), name, call, "allgather") ==
            exactly(formula(name, procs, call, "allgather") + steps * G));
    }
}
