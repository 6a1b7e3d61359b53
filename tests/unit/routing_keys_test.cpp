// SPDX-License-Identifier: BSD-3-Clause
// The keys of routing, rails, sockets and the nodes of jobs: values, and errors with line and hint.
#include <doctest/doctest.h>

#include "platforms/placement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/platform_text.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

const std::string bus = prop("mpi/bus_bandwidth", "8GBps");

// The first error of a file with these props, which must name the line of the key.
std::string error_of(const std::string& props, int line) {
  const Error first = bad(with_props(props)).front();
  CHECK(first.place == "my.xml");
  CHECK(first.line == line);
  CHECK(!first.hint.empty());
  return first.message + " | " + first.hint;
}

bool has(const std::string& text, const std::string& part) {
  CAPTURE(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("values of routing, rails, sockets and jobs") {
  const Machine plain = good(with_props(""));
  CHECK(plain.routing == Routing::fixed);
  CHECK(!plain.divides_messages());
  CHECK(plain.sockets.count == 1);
  const Machine adaptive =
      good(with_props(prop("mpi/routing", "adaptive") + prop("mpi/adaptive_paths", "2+3")));
  CHECK(adaptive.routing == Routing::adaptive);
  CHECK(adaptive.adaptive_shortest == 2);
  CHECK(adaptive.adaptive_detours == 3);
  const Machine sockets =
      good(with_props(bus + prop("mpi/sockets", "2") + prop("mpi/socket_link_bandwidth", "3GBps") +
                      prop("mpi/socket_link_latency", "50ns")));
  CHECK(sockets.sockets.bus_Bps == tests::exactly(4e9));
  CHECK(sockets.sockets.link_Bps == 3e9);
  const Machine rails = good(with_props(prop("topology/rails", "2") + prop("mpi/rails", "64KiB")));
  CHECK(rails.topology->rails() == 2);
  CHECK(rails.stripe_from == 65536);
  CHECK(rails.divides_messages());
}

TEST_CASE("jobs are spread over the nodes by mpi/job_nodes if no option names nodes") {
  const Machine machine = good(with_props(prop("mpi/job_nodes", "spread")));
  CHECK(place(machine, {.procs = 4})->host_of == std::vector<HostId>{0, 0, 2, 2});
  CHECK(place(machine, {.procs = 8})->host_of == std::vector<HostId>{0, 0, 1, 1, 2, 2, 3, 3});
  PlacementRequest named{.procs = 2};
  named.allocation = std::make_shared<const Allocation>(Allocation{"a list", {"h3"}});
  CHECK(place(machine, named)->host_of == std::vector<HostId>{3, 3});
  const Machine first = good(with_props(prop("mpi/job_nodes", "first")));
  CHECK(place(first, {.procs = 4})->host_of == std::vector<HostId>{0, 0, 1, 1});
}

TEST_CASE("wrong values have a line and a remedy") {
  CHECK(has(error_of(prop("mpi/routing", "adaptiv"), 5), "did you mean 'adaptive'?"));
  CHECK(has(error_of(prop("mpi/routing", ""), 5), "expected fixed"));
  CHECK(has(error_of(prop("mpi/adaptive_paths", "0+4"), 5), "4+4"));
  CHECK(has(error_of(prop("mpi/adaptive_paths", "4"), 5), "4+4"));
  CHECK(has(error_of(prop("mpi/adaptive_paths", "4+1000"), 5), "0 to 64"));
  CHECK(has(error_of(prop("mpi/rails", "64KiB"), 5), "a single NIC"));
  CHECK(has(error_of(prop("mpi/rails", "each"), 5), "expected rank"));
  CHECK(has(error_of(prop("mpi/socket_bandwidth", "1GBps"), 5), "also set mpi/sockets"));
  CHECK(has(error_of(bus + prop("mpi/sockets", "3"), 6), "2 core(s)"));
  CHECK(has(error_of(prop("mpi/sockets", "2"), 5), "also set mpi/bus_bandwidth"));
  CHECK(has(error_of(bus + prop("mpi/sockets", "2") + prop("mpi/rail_sockets", "0,1"), 7),
            "expected 1 number(s) from 0 to 1"));
  CHECK(has(error_of(bus + prop("mpi/sockets", "2") + prop("mpi/rail_sockets", "2"), 7),
            "from 0 to 1"));
  CHECK(has(error_of(prop("mpi/job_nodes", "sprad"), 5), "did you mean 'spread'?"));
}
