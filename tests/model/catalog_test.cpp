// SPDX-License-Identifier: BSD-3-Clause
// The machines of the catalog: their sizes, and the simulated time of one message between two
// nodes, against the times of the sources (platforms/catalog/README.md).
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/collective.hpp"
#include "platforms/placement.hpp"
#include "platforms/reader.hpp"
#include "sim/engines/flow/flow_engine.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using algorithms::CollectiveArgs;
using platforms::Machine;
using tests::close_to;

namespace {

Machine catalog_machine(const std::string& name,
                        const std::vector<platforms::Override>& overrides = {}) {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  auto machine = platforms::load_machine(name, overrides);
  REQUIRE_MESSAGE(machine, name);
  return *std::move(machine);
}

double bcast_s(const Machine& machine, int procs, const char* algorithm,
               const CollectiveArgs& call) {
  const auto placement = platforms::place(machine, {.procs = procs, .ppn = 1, .file = {}});
  REQUIRE(placement);
  const auto* found = algorithms::find_algorithm("bcast", algorithm);
  REQUIRE(found != nullptr);
  const auto outcome = engines::run_flow(
      {machine, *placement, [&](runtime::Rank& me) { return found->program(me, call); }});
  REQUIRE(outcome.problems.empty());
  return *std::max_element(outcome.end_s.begin(), outcome.end_s.end());
}

// Half a round trip between the first two nodes: a broadcast of two processes is one message.
double message_s(const Machine& machine, Bytes bytes) {
  return bcast_s(machine, 2, "basic_linear", {.message_bytes = bytes});
}

struct Size {
  const char* name;
  unsigned nodes;
  int cores;
  std::optional<int> ppn;
  const char* kind;
};
const std::vector<Size> sizes = {
    {"alps", 2688, 288, 4, "1D dragonfly"},
    {"bgq-262144", 16384, 16, {}, "torus"},
    {"crill", 16, 48, {}, "flat cluster"},
    {"crill-ge", 16, 48, {}, "flat cluster"},
    {"crill-netgauge", 16, 48, {}, "flat cluster"},
    {"fat-tree-262144", 16384, 16, {}, "fat tree"},
    {"fugaku", 512, 48, 1, "folded torus"},
    {"grisou", 51, 16, 2, "flat cluster"},
    {"gros", 124, 18, 1, "flat cluster"},
    {"h100-pod", 128, 112, 8, "fat tree with 8 rails (leaves)"},
    {"jubl", 8192, 2, {}, "torus"},
    {"jupiter", 36, 16, {}, "flat cluster"},
    {"jupiter-booster", 6000, 288, 4, "dragonfly+"},
    {"juqueen", 28672, 16, {}, "torus"},
    {"leonardo", 3456, 32, 1, "dragonfly+"},
    {"leonardo-dcgp", 1536, 112, {}, "dragonfly+"},
    {"lumi", 2978, 64, 1, "1D dragonfly"},
    {"lumi-c", 2048, 128, {}, "1D dragonfly"},
    {"marenostrum5", 1120, 80, 1, "fat tree"},
    {"opuntia", 80, 20, {}, "flat cluster"},
    {"opuntia-10k", 500, 20, {}, "fat tree"},
    {"opuntia-250k", 12500, 20, {}, "fat tree"},
    {"roce", 384, 112, 8, "fat tree with 8 rails (node)"},
    {"tachyon1", 188, 16, {}, "flat cluster"},
    {"tachyon2", 3176, 8, {}, "fat tree"},
    {"vsc3", 2000, 16, {}, "fat tree"},
};

// The largest number of ports of one switch; the links of both directions share a port.
std::size_t most_ports(const Machine& machine) {
  const auto graph = machine.topology->graph();
  std::vector<std::size_t> ends(graph.hosts + graph.switches.size());
  for (const auto& edge : graph.edges) {
    ++ends[edge.from];
    ++ends[edge.to];
  }
  return *std::max_element(ends.begin() + graph.hosts, ends.end()) / 2;
}

}  // namespace

TEST_CASE("every machine of the catalog has the nodes and cores of its source") {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const auto entries = platforms::catalog().value();
  REQUIRE(entries.size() == sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Size& size = sizes[i];
    CAPTURE(std::string(size.name));
    CHECK(entries[i].name == size.name);
    const auto machine = catalog_machine(size.name);
    CHECK(machine.host_count() == size.nodes);
    CHECK(machine.cores_per_host == size.cores);
    CHECK(machine.default_ppn == size.ppn);
    CHECK(machine.topology->kind() == size.kind);
    CHECK(machine.warnings.empty());
    CHECK(machine.info("description") != "");
    CHECK(machine.info("source") != "");
  }
}

TEST_CASE("machines for projections have a core per process, and switches of existing size") {
  const auto holds = [](const Machine& machine) {
    return static_cast<int>(machine.host_count()) * machine.cores_per_host;
  };
  CHECK(holds(catalog_machine("fat-tree-262144")) == 262'144);
  CHECK(holds(catalog_machine("bgq-262144")) == 262'144);
  for (const auto& [name, procs] : {std::pair("opuntia-10k", 10'000), {"opuntia-250k", 250'000}}) {
    const auto machine = catalog_machine(name);
    CHECK(holds(machine) == procs);
    CHECK(most_ports(machine) == 36);
  }
}

TEST_CASE("one message between two nodes takes the time of the source") {
  struct Case {
    const char* machine;
    Bytes bytes;
    double time_s;
    double tolerance;
  };
  // 1 byte represents an empty message.
  const Case cases[] = {
      {"crill", 1, 1.6e-6, 1e-3},                   // NetPIPE, Diss. 4.1.4
      {"crill", 65536, 68.5e-6, 1e-3},              // NetPIPE, Diss. Table 4.4
      {"crill-netgauge", 1, 4.82e-6, 1e-3},         // L + 2 o of Diss. Table 4.3
      {"crill-ge", 1, 32.96e-6, 1e-3},              // L of Diss. Table 5.2, half a round trip
      {"opuntia", 1, 6.04e-6, 1e-3},                // the same
      {"opuntia", 131072, 517.86e-6, 0.01},         // L + 2 o + (m - 1) G of Diss. Table 5.2
      {"opuntia-10k", 131072, 517.86e-6, 0.01},     // two nodes of a leaf switch
      {"opuntia-250k", 131072, 517.86e-6, 0.01},    // same as above
      {"jupiter", 1, 1.7e-6, 1e-3},                 // proxy: sirocco, QDR
      {"vsc3", 1, 1.5e-6, 1e-3},                    // assumed
      {"juqueen", 1, 2.5e-6, 1e-3},                 // assumed
      {"bgq-262144", 1, 2.5e-6, 1e-3},              // as juqueen
      {"jubl", 1, 3.3e-6, 3e-3},                    // assumed
      {"tachyon1", 4 << 20, 52.138e-3 / 12, 2e-3},  // cFireworks Table II, T16-01
      {"tachyon2", 4 << 20, 15.699e-3 / 12, 2e-3},
      {"grisou", 1, 15.8e-6, 1e-3},                  // proxy: taurus, 10 Gb Ethernet
      {"marenostrum5", 1, 48.7e-6 / 31, 0.1},        // a step of the ring allgather: a fit to 16
      {"marenostrum5", 262144, 783.1e-6 / 31, 0.2},  // times, of a gather as well
      {"marenostrum5", 2 << 20, 3231.2e-6 / 31, 0.1},
      {"marenostrum5", 16 << 20, 23.076e-3 / 31, 0.05},
      {"fugaku", 1, 17.7e-6 / 7, 0.05},        // a step of the ring allgather
      {"fugaku", 64 << 20, 76.5e-3 / 7, 0.06}  //
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.machine));
    CAPTURE(c.bytes);
    CHECK(message_s(catalog_machine(c.machine), c.bytes) == close_to(c.time_s, c.tolerance));
  }
}

TEST_CASE("one large message between two nodes achieves the rate of the source") {
  struct Case {
    const char* machine;
    double rate_Bps;
  };
  const Case cases[] = {
      {"crill", 1.9415e9},         // NetPIPE, Diss. 4.1.4
      {"opuntia", 1 / 3.51e-9},    // 1/G of Diss. Table 5.2
      {"crill-ge", 118e6},         // goodput of Gigabit Ethernet, not Table 5.2
      {"jupiter", 2.6e9},          // proxy: sirocco, QDR
      {"vsc3", 3.3e9},             // one rail, assumed
      {"juqueen", 1.8e9},          // payload of a link, IBM
      {"jubl", 154e6},             // assumed
      {"tachyon1", 967e6},         // cFireworks Table II
      {"tachyon2", 3.222e9},       // the same
      {"grisou", 1.187e9},         // goodput of 10 Gb Ethernet
      {"gros", 2.97e9},            // goodput of 25 Gb Ethernet
      {"marenostrum5", 24.8e9},    // one rail
      {"fugaku", 6.47e9},          // fit to PICO
      {"fat-tree-262144", 12.5e9}  // assumed
  };
  constexpr Bytes large = Bytes(1) << 30;
  for (const Case& c : cases) {
    CAPTURE(std::string(c.machine));
    const double time_s = message_s(catalog_machine(c.machine), large);
    CHECK(static_cast<double>(large) / time_s == close_to(c.rate_Bps, 2e-3));
  }
}

TEST_CASE("crill-ge with the printed bandwidth takes the printed LogGP time") {
  // L + 2 o + (m - 1) G of Table 5.2; the handshake's three latencies are 57 us more than its L.
  const auto printed = catalog_machine("crill-ge", {{"link/bandwidth", "12.514MBps"}});
  CHECK(message_s(printed, 131072) == close_to(32.96e-6 + 2 * 139.7e-6 + 131071 * 79.91e-9, 0.01));
}

// Nuriyev's alpha + beta m of a chain's step, with negligible alpha (Table 2), and gamma (Table 1).
TEST_CASE("grisou and gros broadcast 8 KiB segments in the time of their source's fits") {
  struct Case {
    const char* machine;
    double beta_s_per_B;
    std::vector<double> gamma;  // of 3 to 7 processes
  };
  for (const Case& c : {Case{"grisou", 4.9e-9, {1.114, 1.219, 1.283, 1.451, 1.540}},
                        Case{"gros", 4.5e-9, {1.084, 1.170, 1.254, 1.339, 1.424}}}) {
    CAPTURE(std::string(c.machine));
    const auto machine = catalog_machine(c.machine);
    constexpr Bytes segment = 8192;
    const auto chain_s = [&](Bytes bytes) {
      return bcast_s(machine, 40, "chain",
                     {.message_bytes = bytes, .segment_bytes = segment, .fanout = 1});
    };
    const double step_s = (chain_s(512 * segment) - chain_s(256 * segment)) / 256;
    CHECK(step_s == close_to(c.beta_s_per_B * segment, 0.01));
    for (std::size_t i = 0; i < c.gamma.size(); ++i) {
      const int procs = static_cast<int>(i) + 3;
      const double linear_s = bcast_s(machine, procs, "basic_linear", {.message_bytes = segment});
      CHECK(linear_s / message_s(machine, segment) == close_to(c.gamma[i], 0.04));
    }
  }
}

TEST_CASE("a larger message between two nodes never takes less time") {
  constexpr Bytes limits[] = {0,        1000,     2 << 10,  4 << 10,   8 << 10,  12 << 10,
                              16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10};
  for (const Size& size : sizes) {
    CAPTURE(std::string(size.name));
    const auto machine = catalog_machine(size.name);
    double last_s = 0;
    for (const Bytes limit : limits)
      for (const Bytes bytes : {limit + 1, limit + 2, limit + 700}) {
        CAPTURE(bytes);
        const double time_s = message_s(machine, bytes - 1);
        CHECK(time_s >= last_s);
        last_s = time_s;
      }
  }
}
