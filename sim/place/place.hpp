// SPDX-License-Identifier: BSD-3-Clause
// Times of collectives under several placements of their ranks, and a search for a better one.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies::place {

struct PlaceSpec {
  std::vector<Sweep> sweeps;          // one for each collective, with one number of processes
  platforms::PlacementRequest usual;  // the default mapping
  std::uint64_t seed = 1;             // of random placements and of the search
  int randoms = 1;                    // number of random placements
  int budget = 100;                   // maximum of placements that the search simulates; 0: none
};

// A placement, and the calls under it.
struct Placed {
  std::string name;  // "block", "by topology", "search from block"
  platforms::Placement placement;
  std::vector<Record> calls = {};
  // Geometric mean over the calls of their times divided by the times under the default mapping.
  double ratio = 1;
  int rank = 1;  // 1 + number of faster placements; equal ones have the same
};

struct Placements {
  // The placements, fastest first. Of equally fast ones the default mapping comes first, then the
  // others in the order in which they are tried. Without times of the default mapping, ratios and
  // ranks have no meaning.
  std::vector<Placed> all;
  std::vector<std::string> omitted;  // names of placements whose simulations failed or did not run
  std::string usual;                 // name of the default mapping
  std::vector<Record> usual_calls;   // empty: one of them failed
  std::size_t simulated = 0;         // number of different placements
  std::size_t rounds = 0;            // number of rounds of the search
  PointsRun run;
};

// The calls of each placement are in the order of the sweeps. Errors: the default mapping does not
// fit, or calls cannot run.
Result<Placements> compare_placements(const PlaceSpec& spec, const platforms::Machine& machine,
                                      const RunPoints& run);

// The nodes in an order in which each is followed by the nearest remaining one: fewest links, then
// the smallest number. More than 4,096 nodes remain in the order of their numbers.
std::vector<platforms::HostId> by_distance(std::vector<platforms::HostId> nodes,
                                           const platforms::Machine& machine);

}  // namespace tutti::studies::place
