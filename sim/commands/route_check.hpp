// SPDX-License-Identifier: BSD-3-Clause
// Compares Tutti's routes with SimGrid's: links, latencies and bandwidths between pairs of hosts of
// the same platform file.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/simgrid_routes.hpp"

namespace tutti::commands {

struct RouteCheckRequest {
  std::uint64_t most_pairs = 100'000;  // if there are more, a random sample of this many
  std::uint64_t seed = 1;              // seed of the sample
};

struct RouteCheck {
  std::uint64_t pairs = 0;      // number of compared pairs
  bool all_pairs = false;       // all pairs of different hosts were compared; else a sample
  std::uint64_t links = 0;      // different links on their routes
  std::uint64_t renamed = 0;    // links among these that have another name in SimGrid
  std::uint64_t reordered = 0;  // pairs whose links have another order in SimGrid
  // Why the routes from hosts to themselves were not compared; empty if they were.
  std::string same_host_omitted{};
  std::uint64_t differences = 0;              // pairs that differ
  std::vector<std::string> first_reported{};  // descriptions of the first differences
};

// Compares the routes in this process. Two links are equal if they have the same name, or else the
// same bandwidth, latency and sharing, and correspond to each other in all routes. The order of a
// route's links does not matter (SimGrid shuffles the links of routes in a Dijkstra zone). `done`
// is called from time to time with the number of compared pairs.
RouteCheck compare_routes(const platforms::Machine& machine, engines::SimgridRoutes& simgrid,
                          const RouteCheckRequest& request,
                          const std::function<void(std::uint64_t)>& done);

// Compares the routes in a child process. `machine` must have been read without overrides. About
// every 0.2 s, `progress` is called with the number of compared pairs; it is 0 while SimGrid reads
// the file. A file that SimGrid rejects is an error of kind run.
Result<RouteCheck> check_routes(const platforms::Machine& machine, const RouteCheckRequest& request,
                                const std::function<void(std::uint64_t)>& progress);

// Memory of SimGrid for the machine and of the comparison, in bytes, rounded up.
Bytes memory_of_check(const platforms::Machine& machine, const RouteCheckRequest& request);

// An error of kind usage if this memory exceeds `free_bytes`.
std::optional<Error> check_memory(const platforms::Machine& machine,
                                  const RouteCheckRequest& request, Bytes free_bytes);

// Number of pairs to compare.
std::uint64_t pairs_to_check(const platforms::Machine& machine, const RouteCheckRequest& request);

}  // namespace tutti::commands
