// SPDX-License-Identifier: BSD-3-Clause
// The accuracy of predicted times: their deviation from measured times, as parameters of a platform
// file, and whether they rank algorithms as the measurements do.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"

namespace tutti::studies {

struct ComparedTime {
  std::string collective;
  Bytes message_bytes = 0;
  double simulated_over_measured = 1;
  std::int64_t nodes = 1;
  std::int64_t ppn = 1;
  std::string run = {};  // that measured it
};

ComparedTime compared_time(const MeasuredCollective& row, double simulated_over_measured);

struct AccuracyParameter {
  std::string key;    // "accuracy/bcast"
  std::string value;  // sections of message sizes: "0:1.12;32KiB:1.3"; for accuracy/nodes a number
  std::int64_t rows = 0;
};

// Returns, for each collective and for all together, the factor that contains 90 % of the times, by
// ranges of message sizes with at least five times each. `alternatives` are predictions of the same
// times by different methods, for example without their run and without their collective: in each
// range the largest factor counts. The last parameters are the largest number of nodes, of
// processes per node, and message size of the times, and the number of runs that measured each
// collective, at least.
std::vector<AccuracyParameter> accuracy_parameters(
    const std::vector<std::vector<ComparedTime>>& alternatives);

// The run, collective, processes, processes per node and message size of a call.
using RankedCall = std::tuple<std::string, std::string, std::int64_t, std::int64_t, Bytes>;

// A measured time and its prediction. Several times of an algorithm in a call are repetitions and
// count as their median.
struct RankedTime {
  RankedCall call;
  std::string algorithm;
  Seconds measured_s = 0;
  Seconds predicted_s = 0;
};

// How predictions rank the algorithms of the calls that have at least two: the settings.
struct Ranking {
  std::int64_t settings = 0;
  std::int64_t pairs = 0;        // pairs of algorithms whose measured times differ clearly
  std::int64_t right_pairs = 0;  // pairs that are predicted in the measured order
  std::int64_t best_found = 0;   // settings whose predicted best is within 2 % of the best
  double mean_regret = 0;        // how much longer the predicted best takes than the best
  double largest_regret = 0;
};

// Ranks the algorithms of each call. `clearly` is the least ratio of two measured times that differ
// clearly.
Ranking ranking_of(const std::vector<RankedTime>& times, double clearly);

}  // namespace tutti::studies
