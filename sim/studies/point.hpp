// SPDX-License-Identifier: BSD-3-Clause
// A point: the full, normalised description of one simulation. Two points that compare equal give
// the same answer.
#pragma once

#include <string>

#include "algorithms/collective.hpp"
#include "platforms/placement.hpp"
#include "sim/engines/engine.hpp"
#include "sim/studies/inside.hpp"
#include "sim/studies/starts.hpp"
#include "workloads/benchmark.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::studies {

struct Point {
  std::string requested_algorithm;  // as asked: "auto", "binomial"
  workloads::CollectiveCall call;   // what that means here
  std::string counts;               // as --counts names them; empty where they have no effect
  std::string profiles;             // what replaces calls, all that matters of it; empty: nothing
  workloads::Benchmark benchmark;
  std::int64_t contest = 0;  // points of one number compete (auto:best); 0: no contest
  platforms::PlacementRequest placement;
  engines::EngineKind engine = engines::EngineKind::simgrid;
  bool engine_is_chosen = false;  // by the program: --engine auto
  engines::Contention contention = engines::Contention::on;
  double merge_window = 0;  // see engines::Job
  StartChoice starts = {};
  // Steps that stand for others are left out, where there are many (sim/studies/extrapolation).
  bool extrapolates = false;
  bool model_only = false;    // formulas answer, nothing is simulated
  bool want_traffic = false;  // who sends what to whom
  bool want_ranks = false;    // every rank's node and times
  InsideRequest inside;
};

}  // namespace tutti::studies
