// SPDX-License-Identifier: BSD-3-Clause
// A point: the full, normalized description of one simulation. Equal points give the same results.
#pragma once

#include "algorithms/collective.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/inside.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/jobs/starts.hpp"
#include "workloads/benchmark.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::jobs {

// Impossible combinations of a product of lists, such as 64 aggregators of 36 processes.
struct Skipped {
  std::size_t count = 0;
  std::vector<Error> reasons;  // the first error for each place (and line)

  void add(const std::vector<Error>& errors);
  void add(const Skipped& others);
};

// "3 combinations cannot run and are skipped: --aggregators: 64 aggregators exceed the 36
// processes; ...". Empty if none were skipped.
std::string skipped_text(const Skipped& skipped);

// One collective call, or a benchmark of it. Sweeps make points (sim/studies/sweep.hpp),
// run_point.hpp runs them.
struct Point {
  std::string requested_algorithm;  // as requested: "auto", "binomial"
  workloads::CollectiveCall call;   // the resolved call
  std::string counts;               // as given by --counts; empty if they have no effect
  std::string profiles;             // content of the profiles that replace calls; empty: none
  workloads::Benchmark benchmark;
  std::int64_t contest = 0;  // points with the same number compete (auto:best); 0: no contest
  platforms::PlacementRequest placement;
  engines::EngineKind engine = engines::EngineKind::flow;
  bool engine_is_chosen = false;  // by the program: --engine auto
  bool verify = false;            // also simulate with engine simgrid, and compare the times
  engines::Contention contention = engines::Contention::on;
  StartChoice starts = {};
  // Extrapolate calls with many similar steps (sim/jobs/extrapolation).
  bool extrapolates = false;
  bool folds = true;          // simulate only one of the equivalent ranks (engines::Folding)
  bool model_only = false;    // evaluate formulas only, without simulation
  bool want_traffic = false;  // report the messages between each pair of ranks
  bool want_ranks = false;    // report every rank's node and times
  InsideRequest inside;
  std::string goal_file = {};  // write the schedule to this file; empty: none
};

// A member of a point that no column contains, and its entry in the key of the stored result, which
// it has if the member differs from `usual`: "on", "off", or the number.
struct KeyedMember {
  std::string_view name;
  std::variant<bool Point::*, std::int64_t Point::*, double Point::*> member;
  double usual;  // of a switch: true or false
};

inline constexpr KeyedMember keyed_members[] = {{"extrapolates", &Point::extrapolates, true},
                                                {"symmetry", &Point::folds, true},
                                                {"verify", &Point::verify, false}};

// Fitted values in the syntax of platform files, with seven digits.

inline std::string time_text(Seconds time_s) { return fmt::format("{:.7g}us", time_s * 1e6); }
inline std::string rate_text(double rate_Bps) { return fmt::format("{:.7g}MBps", rate_Bps / 1e6); }

// True if a run of the point needs SimGrid, as its engine or to verify the result.
template <class AnyPoint>
bool uses_simgrid(const AnyPoint& point) {
  return point.engine == engines::EngineKind::simgrid || point.verify;
}

// Names of points in messages.

// "bcast auto: chain, 64 KiB, segment 8 KiB, fan-out 4, 576 processes, 48 per node, root 0". `ppn`
// is unset if the platform determines it.
std::string name_of(const Point& point, std::optional<std::int64_t> ppn);
std::string name_of(const Point& point);
// The name of a contest: "bcast auto:best, 64 KiB, 576 processes".
std::string name_of(const std::vector<Point>& rivals);
// "write, vulcan, 2d, 64 aggregators, buffer 32 MiB, 576 processes".
std::string name_of(const IoPoint& point);
// "pingpong, stream, 64 KiB, window 64, inter".
std::string name_of(const PingPongPoint& point);

}  // namespace tutti::jobs
