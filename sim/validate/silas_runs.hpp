// SPDX-License-Identifier: BSD-3-Clause
// Predictions for the programs of the thesis on SILAS (Juel-4297, chapter 5), compared with the
// really changed programs on the same simulated machine, its JUBL: Figures 5.2 and 5.4 to 5.8.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::silas {

// A time of a program: recorded, predicted after a change, and of the really changed program.
struct Prediction {
  std::string figure;   // "5.2"
  std::string program;  // "lb-coll"
  std::string mode;     // "CO", co-processor: one process per node; "VN", virtual node: two
  std::int64_t nodes = 0;
  std::int64_t procs = 0;
  std::string model;   // "recorded", "platform"
  std::string change;  // "identity", "balanced", "cut"
  // "end" (of the last rank); sums over the ranks: "all", "communication" (MPI calls),
  // "computation" (all other time), or a call path with all that it calls.
  std::string what;
  Seconds recorded_s = 0;
  Seconds predicted_s = 0;
  Seconds changed_s = 0;

  // (predicted - changed) / changed; unset if the changed program spends no time.
  std::optional<double> deviation() const;
  Seconds predicted_gain_s() const { return recorded_s - predicted_s; }
  Seconds gain_s() const { return recorded_s - changed_s; }
};
using Predictions = std::vector<Prediction>;

// Simulated on the first call. Errors: the catalog cannot be read.
const Result<Predictions>& predictions_of(std::string_view figure);

inline constexpr std::array<std::string_view, 4> predicted_figures = {"5.2", "5.4", "5.5",
                                                                      "5.6-5.8"};

}  // namespace tutti::studies::silas
