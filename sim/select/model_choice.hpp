// SPDX-License-Identifier: BSD-3-Clause
// The best algorithm, and the choices of the fitted models, of the traditional formulas and of Open
// MPI's decision rules (Nuriyev and Lastovetsky, table 3 and figure 5).
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/model_experiment.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/fit/precise_time.hpp"
#include "sim/jobs/point.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::select {

// A call that choosers can choose.
struct ChoiceCandidate {
  std::string name;  // name of the algorithm, with what distinguishes it from the others
  std::optional<PreciseTime> simulated;
  std::optional<Seconds> predicted_s;  // by the fitted model; unset: it has no model
  std::string outside = {};            // why the prediction is an extrapolation; empty: it is not
  Seconds formula_s = 0;               // Hockney's formula with the platform's parameters
};

// The choice of a library's decision rules.
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
  Seconds decision_s = 0;  // duration of the choice by models; 0: not printed
};

// The choice of one chooser in a cell; fields are empty if it has no answer.
struct ChosenCall {
  std::string chooser;  // "best", "models", "formulas", "ompi-3.1", ...
  std::string name;
  std::optional<Seconds> time_s;
  // Relative to the best candidate; negative: better than all candidates.
  std::optional<double> loss;
  std::string outside = {};  // for "models": why the prediction is an extrapolation
};
// The best comes first. Models choose among the calls that their experiments cover, if there are
// any.
std::vector<ChosenCall> choices_in(const ChoiceCell& cell);

// The difference from the placement in the experiments: "1 processes per node (fitted with 2)";
// empty: none.
std::string placement_outside(const ModelFile& file, const platforms::PlacementRequest& placement,
                              const platforms::Machine& machine);

// Predictions for the calls of one collective, number of processes and message size; `decision_s`
// is the mean wall time of one whole choice among them.
struct Predictions {
  std::vector<std::optional<Prediction>> of_call;
  Seconds decision_s = 0;
};
// Empty for a call that falls back to another algorithm, or has no model. Other processes, sizes,
// segments and placements than those of the experiments are extrapolations.
std::optional<Prediction> predicted_time(const ModelFile& file, const Point& call,
                                         const platforms::Machine& machine);
Predictions predictions(const ModelFile& file, const std::vector<Point>& calls,
                        const platforms::Machine& machine);

// "binary_tree", with segment size and fan-out if they differ among `all`.
std::string choice_name(const Point& point, const std::vector<Point>& all);

// Losses of a chooser over the cells of a collective.
struct ChoiceLosses {
  std::string collective;
  std::string chooser;
  std::int64_t cells = 0;  // cells with an answer
  std::int64_t best = 0;   // of these: no candidate is better
  std::int64_t close = 0;  // at most 10 % above the best
  double sum = 0;          // sum of the losses
  double largest = 0;
  std::string worst_at = {};      // "64 x 1 KiB"
  std::string worst_choice = {};  // the choice in that cell

  double part(double of) const { return of / static_cast<double>(cells); }
};
// Sorted by collective. Choosers without an answer in any cell are omitted.
std::vector<ChoiceLosses> choice_losses(const std::vector<ChoiceCell>& cells);

// Compares all choosers in the cells of a study.

struct ModelChoiceSpec {
  ModelFile file;
  std::vector<AlgorithmModel> models;    // models of the file that compete
  std::vector<std::string> collectives;  // collectives of the models
  Sweep job;                             // settings of each collective
};

struct ModelChoicePlan {
  // A cell without times, and the experiments of its candidates and libraries.
  struct Setting {
    ChoiceCell cell;
    std::vector<std::size_t> candidates, libraries;  // indices of experiments
  };
  std::vector<Setting> settings;             // at least one
  std::vector<ModelExperiment> experiments;  // equal calls once
};
// Errors name options.
Result<ModelChoicePlan> plan_choices(const ModelChoiceSpec& spec, const platforms::Machine& machine,
                                     bool force);

struct ModelChoices {
  std::vector<ChoiceCell> cells;  // cells with a simulated candidate
  PointsRun run;
};
ModelChoices model_choices(const ModelChoiceSpec& spec, const ModelChoicePlan& plan,
                           const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::select
