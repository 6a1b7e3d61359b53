// SPDX-License-Identifier: BSD-3-Clause
// From a request to models of algorithms: chooses the experiments, and fits models to their times.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/model_experiment.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/fit/model_fit.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies {

struct ModelSpec {
  std::vector<Sweep> sweeps;      // one for each collective
  bool names_algorithms = false;  // named algorithms must run; of all algorithms those run that can
  bool with_gather = false;
  ModelTerms terms = ModelTerms::extended;
  int gamma_procs = 8;
  Bytes gamma_bytes = 8192;
  MeasuredSpec measured;
};

// Adds default numbers of processes, and message sizes at the ends of the eager protocols, where
// times jump.
void complete_axes(ModelSpec& spec, const platforms::Machine& machine, bool has_sizes);

// Experiments and their times. The experiments for gamma come first.
struct ObservedTimes {
  std::vector<ModelExperiment> experiments;
  std::size_t gamma_count = 0;
  PointsRun run;
};

// Simulates all experiments of the request.
Result<ObservedTimes> simulated_observations(const ModelSpec& spec,
                                             const platforms::Machine& machine, bool force,
                                             const RunPoints& run);

struct FittedCall {
  std::string collective;
  std::string algorithm;
  std::int64_t procs = 0;
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;
  PreciseTime observed;
  Seconds predicted_s = 0;  // time of the whole experiment
};

struct FittedModels {
  ModelFile file = {};  // without the platform's name and the source of the times
  double gamma_residual = 0;
  std::vector<FittedCall> calls = {};
};
// Fits the models. All experiments for gamma must have an answer.
FittedModels fitted_models(const ModelSpec& spec, const platforms::Machine& machine,
                           const ObservedTimes& of);

}  // namespace tutti::studies
