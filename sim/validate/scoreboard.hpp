// SPDX-License-Identifier: BSD-3-Clause
// How right predictions of measured collectives are: how far off, whether algorithms come in the
// right order, and what choosing by them costs.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/fit/message_rows.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies {

// What is predicted for one measured time, in s. Formulas are without a value where there is none.
struct TimePredictions {
  Seconds simulated_s = 0;
  std::optional<Seconds> uncontended_s = {};  // simulated with --contention off
  std::optional<Seconds> hockney_s = {};
  std::optional<Seconds> loggp_s = {};
};

struct ScoredTime {
  MeasuredCollective measured;
  TimePredictions predicted;

  // (simulated - measured) / measured
  double error() const { return predicted.simulated_s / measured.time_s - 1; }
};

// Of predictions by one method. Errors are without their signs. A setting is a collective with one
// number of processes and of processes a node, one size, measured in one run; times of one
// algorithm in a setting count as their median.
struct Score {
  std::size_t rows = 0;
  double median_error = 0;
  double p90_error = 0;
  std::size_t pairs = 0;        // of algorithms of a setting whose times differ by more than 5 %
  std::size_t right_pairs = 0;  // predicted in the measured order
  std::size_t settings = 0;     // with two algorithms or more
  std::size_t best_found = 0;   // where the predicted best is within 2 % of the best
  double mean_regret = 0;       // how much longer the predicted best takes than the best
  double largest_regret = 0;
};

using PredictionOf = std::function<std::optional<Seconds>(const ScoredTime&)>;

// Rows without a prediction are left out.
Score score_of(const std::vector<ScoredTime>& times, const PredictionOf& prediction);
Score score_of(const std::vector<ScoredTime>& times);  // of the simulation

// Times that may be those of another algorithm than their rows name. Libraries ignore a choice that
// they do not like, without a word: Cray MPICH's "recursive doubling" allreduces of 64 KiB and more
// take as long as Rabenseifner's to 1 % (HLC-Lab/pico, LUMI), Fujitsu MPI's "basic linear"
// broadcasts as long as its trinaryx6 at all ten sizes (Fugaku).

// Sizes of one algorithm in one run at which the prediction is off by more than 25 %, and the
// measured time within 2 % of that of another algorithm: one that Tutti predicts within 25 %, or a
// library's that Tutti does not have. Three sizes or more, and half of those at which it is off.
// Not those at which another implementation of the same algorithm takes as long.
struct SimilarTimes {
  MeasuredCollective first;  // that of the smallest size
  std::string other;         // as the file names it
  std::size_t sizes = 0;
  Bytes largest = 0;
  double simulated_over_measured = 0;  // the median of these sizes
};

struct FoundSimilar {
  std::vector<SimilarTimes> all;
  std::vector<bool> rows;  // by time: it is one of these
};

// `others`: rows of algorithms that Tutti does not have, of the same files.
FoundSimilar find_similar(const std::vector<ScoredTime>& times,
                          const std::vector<MeasuredCollective>& others);

// Measured collectives, simulated.

struct ScoringPlan {
  // Several runs may have measured one call.
  struct Call {
    Point point;
    const platforms::Machine* machine = nullptr;
    std::vector<std::size_t> rows;
  };
  std::vector<MeasuredCollective> rows;
  std::vector<MeasuredCollective> others;  // of algorithms that Tutti does not have
  std::vector<Call> calls;                 // one at least
  std::size_t omitted = 0;                 // rows that the machine cannot run
  std::string why = {};                    // the first of them
};
// `machines`: of a job's torus; they outlive the plan.
Result<ScoringPlan> plan_scores(std::vector<MeasuredCollective> rows, const std::string& machine,
                                JobMachines& machines,
                                const platforms::PlacementRequest& placement);

struct ScoredTimes {
  std::vector<ScoredTime> times;  // of calls that have an answer
  PointsRun run;
};
ScoredTimes scored_times(const ScoringPlan& plan, const RunPoints& run);

}  // namespace tutti::studies
