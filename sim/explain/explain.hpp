// SPDX-License-Identifier: BSD-3-Clause
// Compares the choices of two libraries' decision rules for the same calls: the times, what runs,
// and why.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies::explain {

// What follows "auto:" in a request: "ompi-5.0", "rules=FILE".
struct Rules {
  std::string from;
  std::string to;
};

// A call by one of the rules.
struct Choice {
  std::string rules;      // "ompi-5.0"
  std::string algorithm;  // with what it runs as: "han (up binary_tree; low knomial)"
  std::string component;  // "coll/han", "coll/tuned"; empty: a rules file decided
  std::string why;        // "4 nodes with 8 ranks each"
  Answer answer;
};

struct Comparison {
  Choice from;
  Choice to;

  // Of the times, if the engine has times, and that of `from` is not 0.
  std::optional<double> ratio() const;
};

struct Comparisons {
  std::vector<Comparison> points;
  PointsRun run;
};

// The component and the reason of a choice by rules.
std::string component_of(const workloads::CollectiveCall& call);
std::string why(const workloads::CollectiveCall& call, int procs);

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
Result<Pairs> pairs_of(Sweep sweep, const Rules& rules, const platforms::Machine& machine);
Comparisons compared(const std::vector<Pair>& pairs, const Rules& rules,
                     const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::explain
