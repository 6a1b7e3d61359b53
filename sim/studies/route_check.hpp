// SPDX-License-Identifier: BSD-3-Clause
// Are our routes SimGrid's? Compares links, latencies and bandwidths between pairs of hosts with
// those of SimGrid, which reads the same file.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/simgrid_routes.hpp"

namespace tutti::studies {

struct RouteCheckRequest {
  std::uint64_t most_pairs = 100'000;  // more than that: a sample of so many
  std::uint64_t seed = 1;              // of the sample
};

struct RouteCheck {
  std::uint64_t pairs = 0;      // that were compared
  bool all_pairs = false;       // of different hosts; else a sample
  std::uint64_t links = 0;      // different links on their routes
  std::uint64_t renamed = 0;    // of these, links that have another name in SimGrid
  std::uint64_t reordered = 0;  // pairs whose links SimGrid names in another order
  // Why the routes from hosts to themselves were not compared; empty: they were.
  std::string same_host_omitted{};
  std::uint64_t differences = 0;              // pairs that differ
  std::vector<std::string> first_reported{};  // a sentence for each of the first of them
};

// Compares in this process. A link is the same if it has the same name, or else the same bandwidth,
// latency and sharing, and stands for the same link everywhere. The order of a route's links does
// not matter (SimGrid shuffles those of a Dijkstra zone). `done` is told the number of pairs
// from time to time.
RouteCheck compare_routes(const platforms::Machine& machine, engines::SimgridRoutes& simgrid,
                          const RouteCheckRequest& request,
                          const std::function<void(std::uint64_t)>& done);

// The same in a child. `machine` was read without overrides. Meanwhile, about each 0.2 s,
// `progress` is told how many pairs are through: none while SimGrid reads the file. A file that
// SimGrid does not accept is an error of kind run.
Result<RouteCheck> check_routes(const platforms::Machine& machine, const RouteCheckRequest& request,
                                const std::function<void(std::uint64_t)>& progress);

// Memory that SimGrid takes for the machine and that the comparison takes, rounded up.
Bytes memory_of_check(const platforms::Machine& machine, const RouteCheckRequest& request);

// An error of kind usage if that is above `free_bytes`.
std::optional<Error> check_memory(const platforms::Machine& machine,
                                  const RouteCheckRequest& request, Bytes free_bytes);

// How many pairs there are to compare.
std::uint64_t pairs_to_check(const platforms::Machine& machine, const RouteCheckRequest& request);

}  // namespace tutti::studies
