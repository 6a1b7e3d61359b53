// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm is the best, and which one a chooser takes: the fitted models, the traditional
// formulas, the decision rules of Open MPI (Nuriyev, Lastovetsky, table 3 and figure 5).
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/model_experiment.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/precise_time.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::select {

// A call that choosers choose from.
struct ChoiceCandidate {
  std::string name;  // of the algorithm, with what tells it from the others
  std::optional<PreciseTime> simulated;
  std::optional<Seconds> predicted_s;  // by the fitted model; none: it has none
  std::string outside = {};            // why that is an extrapolation; empty: it is none
  Seconds formula_s = 0;               // Hockney's with the platform's parameters
};

// What a library's decision rules take.
struct LibraryChoice {
  std::string rules;  // "ompi-3.1"
  std::string name;
  std::optional<PreciseTime> simulated;
};

struct ChoiceCell {
  std::string collective;
  std::int64_t procs = 0;
  std::int64_t ppn = 0;
  Bytes message_bytes = 0;
  std::vector<ChoiceCandidate> candidates;  // at least one, all simulated
  std::vector<LibraryChoice> libraries;
  Seconds decision_s = 0;  // what the choice by models took; 0: not to be shown
};

// What one chooser makes of a cell; empty: it has no answer.
struct ChosenCall {
  std::string chooser;  // "best", "models", "formulas", "ompi-3.1", ...
  std::string name;
  std::optional<Seconds> time_s;
  std::optional<double> loss;  // against the best candidate; below 0: better than all of them
  std::string outside = {};    // of "models": why the prediction is an extrapolation
};
// The best first. Models choose among the calls that their experiments cover, if there are any.
std::vector<ChosenCall> choices_in(const ChoiceCell& cell);

// Why ranks are placed otherwise than in the experiments: "1 processes per node (fitted with 2)";
// empty: they are not.
std::string placement_outside(const ModelFile& file, const platforms::PlacementRequest& placement,
                              const platforms::Machine& machine);

// Predictions for calls of one collective, process count and message size; `decision_s` is the mean
// wall time of one whole choice among them.
struct Predictions {
  std::vector<std::optional<Prediction>> of_call;
  Seconds decision_s = 0;
};
// A call that falls back to another algorithm, or has no model, has none. Outside of the
// experiments lie other processes, sizes and segments, and ranks that are placed otherwise.
std::optional<Prediction> predicted_time(const ModelFile& file, const Point& call,
                                         const platforms::Machine& machine);
Predictions predictions(const ModelFile& file, const std::vector<Point>& calls,
                        const platforms::Machine& machine);

// "binary_tree", with segment size and fan-out where they differ among `all`.
std::string choice_name(const Point& point, const std::vector<Point>& all);

// What following a chooser costs, over the cells of a collective.
struct ChoiceLosses {
  std::string collective;
  std::string chooser;
  std::int64_t cells = 0;  // where it has an answer
  std::int64_t best = 0;   // of these: none is better
  std::int64_t close = 0;  // at most 10 % above the best
  double sum = 0;          // of the losses
  double largest = 0;
  std::string worst_at = {};      // "64 x 1 KiB"
  std::string worst_choice = {};  // there

  double part(double of) const { return of / static_cast<double>(cells); }
};
// By collective; choosers that have an answer somewhere.
std::vector<ChoiceLosses> choice_losses(const std::vector<ChoiceCell>& cells);

// All choosers in the cells of a study.

struct ModelChoiceSpec {
  ModelFile file;
  std::vector<AlgorithmModel> models;    // of the file, that compete
  std::vector<std::string> collectives;  // theirs
  Sweep job;                             // of each collective
};

struct ModelChoicePlan {
  // A cell without times, and what is simulated for its candidates and libraries.
  struct Setting {
    ChoiceCell cell;
    std::vector<std::size_t> candidates, libraries;  // among the experiments
  };
  std::vector<Setting> settings;             // one at least
  std::vector<ModelExperiment> experiments;  // each different call once
};
// Errors name options.
Result<ModelChoicePlan> plan_choices(const ModelChoiceSpec& spec, const platforms::Machine& machine,
                                     bool force);

struct ModelChoices {
  std::vector<ChoiceCell> cells;  // in which a candidate could be simulated
  PointsRun run;
};
ModelChoices model_choices(const ModelChoiceSpec& spec, const ModelChoicePlan& plan,
                           const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::select
