// SPDX-License-Identifier: BSD-3-Clause
// Compares the choices of two libraries' decision rules for the same calls: the times, what runs,
// and why.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies::explain {

// Decision rules, as they follow "auto:" in a request: "ompi-5.0", "rules=FILE", "nccl-2.28".
struct Rules {
  std::string from;
  std::string to;
};

// A call by one of the rules.
struct Choice {
  std::string rules;      // "ompi-5.0"
  std::string algorithm;  // with what it runs as: "han (up binary_tree; low knomial)"
  std::string component;  // "coll/han", "coll/tuned"; empty: a rules file or NCCL decided
  std::string why;        // "4 nodes with 8 ranks each"
  Answer answer;
  // What NCCL predicted for its algorithms and protocols; null: other rules.
  std::shared_ptr<const algorithms::selection::NcclPrediction> nccl = {};
};

struct Comparison {
  Choice from;
  Choice to;

  // The time of `to` divided by the time of `from`; unset if the engine has no times, or the latter
  // is 0.
  std::optional<double> ratio() const;
};

struct Comparisons {
  std::vector<Comparison> points;
  PointsRun run;
};

// A call as both rules run it.
struct Pair {
  Point from;
  Point to;

  // Whether algorithm, segment size, fan-out, limit of requests or inner algorithms differ.
  bool differs() const;
};
struct Pairs {
  std::vector<Pair> all;
  Skipped skipped;  // calls that cannot run by one of the rules
};

// The points of `sweep` by the rules "auto:FROM" and "auto:TO", which replace its algorithms.
Result<Pairs> make_pairs(Sweep sweep, const Rules& rules, const platforms::Machine& machine);
Comparisons compare(const std::vector<Pair>& pairs, const Rules& rules,
                    const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::explain
