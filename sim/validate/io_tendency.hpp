// SPDX-License-Identifier: BSD-3-Clause
// Does the analytic model of collective I/O move the way the simulation does? Neighbouring points
// are compared as S. Jha's dissertation compares its model with measurements (section 5.3, Tables
// 5.3 to 5.5): of three parameters one changes, the others stay.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace tutti::studies {

// The dissertation's numbers of its cases.
enum class TendencyCase : unsigned char { data = 1, aggregators = 2, procs = 3 };

struct TendencyPoint {
  std::string model;  // "even 1d"; points of different models are not compared
  std::int64_t procs = 0;
  Bytes bytes_per_proc = 0;
  std::int64_t aggregators = 0;
  Seconds simulated_s = 0;
  Seconds model_s = 0;
};

enum class Agreement : unsigned char {
  match,      // both grow, or both shrink
  mismatch,   // one grows, the other shrinks
  no_change,  // neither changes
  only_simulated,
  only_model,
};
const char* name_of(Agreement agreement);

// Of relative changes: 0.1 is 10 % more. Those below `least` in size count as no change, and so
// does 0.
Agreement agreement_of(double simulated_change, double model_change, double least);

struct TendencyPair {
  TendencyCase varied{};
  std::size_t from = 0;  // of the points; the one with the smaller value
  std::size_t to = 0;
  double simulated_change = 0;
  double model_change = 0;
  Agreement agreement{};
};

// Of each case, model and values of the other two parameters: the points in the order of the
// parameter that varies, each with the next one. Ordered by case, then by model and parameters.
std::vector<TendencyPair> tendency_pairs(std::span<const TendencyPoint> points, double least);

struct TendencyCount {
  TendencyCase varied{};
  std::string model;
  std::int64_t match = 0;
  std::int64_t mismatch = 0;
  std::int64_t no_change = 0;
  std::int64_t only_simulated = 0;
  std::int64_t only_model = 0;

  std::int64_t apart() const { return no_change + only_simulated + only_model; }
  // Nothing to compare: no rate.
  bool has_rate() const { return match + mismatch > 0; }
  // Of the pairs in which both change.
  double rate() const { return static_cast<double>(match) / static_cast<double>(match + mismatch); }
};

// A row for each case and each of the models, in this order.
std::vector<TendencyCount> count_tendencies(std::span<const TendencyPoint> points,
                                            std::span<const TendencyPair> pairs,
                                            std::span<const std::string> models);

}  // namespace tutti::studies
