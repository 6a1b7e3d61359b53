// SPDX-License-Identifier: BSD-3-Clause
// The accuracy of predictions of measured collectives: their errors, whether they rank algorithms
// correctly, and the regret of choosing by them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/accuracy.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/fit/message_rows.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/validate/model_parameters.hpp"

namespace tutti::studies {

// The predictions for one measured time, in seconds; a formula is unset if the algorithm has no
// formula.
struct TimePredictions {
  Seconds simulated_s = 0;
  std::optional<Seconds> alone_s = {};        // simulated with --contention private
  std::optional<Seconds> uncontended_s = {};  // simulated with --contention off
  std::optional<Seconds> hockney_s = {};
  std::optional<Seconds> loggp_s = {};
  // By the same formulas with the parameters that fit all measured times best.
  std::optional<Seconds> hockney_fitted_s = {};
  std::optional<Seconds> loggp_fitted_s = {};
};

struct ScoredTime {
  MeasuredCollective measured;
  TimePredictions predicted;
  // Factor within which the measured time is expected in nine of ten cases
  // (jobs::ExpectedAccuracy).
  std::optional<double> within = {};

  // (simulated - measured) / measured
  double error() const { return predicted.simulated_s / measured.time_s - 1; }

  bool is_default = false;  // the call is that which the measured library chooses by itself
};

// The score of one prediction method. Errors are absolute values, and measured times differ clearly
// if they differ by more than 5 %.
struct Score : Ranking {
  std::size_t rows = 0;
  double median_error = 0;
  double p90_error = 0;
  std::size_t intervals = 0;  // times with an interval
  std::size_t covered = 0;    // of these, measured times inside it
};

using PredictionOf = std::function<std::optional<Seconds>(const ScoredTime&)>;

// Rows without a prediction are skipped.
Score compute_score(const std::vector<ScoredTime>& times, const PredictionOf& prediction);
Score compute_score(const std::vector<ScoredTime>& times);  // by the simulation

// Returns the times of calls of which the library's own choice was measured. `others` are rows of
// the same files with algorithms that Tutti does not have; those that are a library's choice are
// added, and never predicted to be the fastest.
std::vector<ScoredTime> with_default(const std::vector<ScoredTime>& times,
                                     const std::vector<MeasuredCollective>& others);
// The regret of the library's choices in these calls; without errors, rows and pairs.
Score score_defaults(const std::vector<ScoredTime>& with_default);

// Times that may belong to another algorithm than the one their rows name. Libraries may silently
// ignore a requested algorithm: Cray MPICH's "recursive doubling" allreduces of at least 64 KiB
// take as long as Rabenseifner's, to 1 % (HLC-Lab/pico, LUMI), and Fujitsu MPI's "basic linear"
// broadcasts as long as its trinaryx6 at all ten sizes (Fugaku).

// Sizes of one algorithm in one run at which the prediction is off by more than 25 % and the
// measured time is within 2 % of another algorithm's. Tutti must predict that algorithm within 25
// %, unless it is a library's own that Tutti does not have. There are at least three such sizes,
// and they are at least half of the sizes at which the prediction is off. Sizes at which another
// implementation of the same algorithm takes as long are excluded.
struct SimilarTimes {
  MeasuredCollective first;  // the row of the smallest size
  std::string other;         // name in the file
  std::size_t sizes = 0;
  Bytes largest = 0;
  double simulated_over_measured = 0;  // median over these sizes
};

struct FoundSimilar {
  std::vector<SimilarTimes> all;
  std::vector<bool> rows;  // whether the time with this index belongs to one of `all`
};

// `others` are the rows of the same files with algorithms that Tutti does not have.
FoundSimilar find_similar(const std::vector<ScoredTime>& times,
                          const std::vector<MeasuredCollective>& others);

// Simulates measured collectives.

struct ScoringPlan {
  // Rows of several runs may have measured the same call, some of them as the library's choice.
  struct Call {
    Point point;
    const platforms::Machine* machine = nullptr;
    std::vector<std::size_t> rows;
    CallKey key;
  };
  std::vector<MeasuredCollective> rows;
  std::vector<MeasuredCollective> others;  // of algorithms that Tutti does not have
  std::vector<Call> calls;                 // at least one
  std::vector<bool> is_default;            // by row: see ScoredTime
  std::size_t omitted = 0;                 // rows that the machine cannot run
  std::string why = {};                    // the reason for the first of them
};
// `machines` provides the machine for a job's torus and must outlive the plan.
Result<ScoringPlan> plan_scores(std::vector<MeasuredCollective> rows, const std::string& machine,
                                JobMachines& machines,
                                const platforms::PlacementRequest& placement);

struct ScoredTimes {
  std::vector<ScoredTime> times;  // of calls that were simulated
  PointsRun run;
  std::optional<ModelParameters> fitted = {};  // of the formulas, if there are enough times
};
ScoredTimes simulate_times(const ScoringPlan& plan, const RunPoints& run);

}  // namespace tutti::studies
