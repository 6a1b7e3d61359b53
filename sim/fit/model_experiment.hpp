// SPDX-License-Identifier: BSD-3-Clause
// The communication experiments that determine the parameters of an algorithm's model.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/fit/precise_time.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/study_point.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {

// A call, optionally followed by the linear gather of section 4.2 (Nuriyev and Lastovetsky):
// `gather_bytes` from every rank to the call's root, whose clock determines the end. Without the
// gather the time ends with the last rank, which only a simulation can observe.
struct ModelExperiment {
  Point point;
  std::optional<Bytes> gather_bytes;
};

// Simulates with engine `flow` in this process, and with noise until the mean is precise.
Result<PreciseTime> experiment_time(const ModelExperiment& experiment,
                                    const platforms::Machine& machine);

// Returns the calls of one algorithm; none if Open MPI rejects it.
Result<std::vector<Point>> calls_that_run(Sweep sweep, const std::string& algorithm,
                                          const platforms::Machine& machine);

// Returns a point for each experiment. `machine` and `experiments` must outlive the result.
std::vector<StudyPoint> simulations_of(const std::vector<ModelExperiment>& experiments,
                                       const platforms::Machine& machine);

// The experiments of Nuriyev and Lastovetsky (sections 4 and 5), measured on a real machine instead
// of simulated.
struct MeasuredExperiments {
  std::vector<ModelExperiment> experiments;
  std::vector<PreciseTime> times;  // of each experiment: the mean of its repetitions
  // Times of linear broadcasts with P = 2, 3, ...; empty if they were not measured.
  std::vector<Seconds> gamma_times;
  std::size_t without_algorithm = 0;  // rows for which the library chose the algorithm
  std::size_t other_algorithm = 0;    // calls that silently run as another algorithm
};

struct MeasuredSpec {
  std::vector<std::string> collectives;  // empty: all
  std::vector<std::string> algorithms;   // empty: all
  Bytes gamma_bytes = 0;                 // message size of the linear broadcasts for gamma
};

// Groups the rows by call: rows of one call are its repetitions. Errors: several numbers of
// processes per node, impossible calls (each kind once), no row left.
Result<MeasuredExperiments> measured_experiments(const std::vector<MeasuredCollective>& rows,
                                                 const MeasuredSpec& spec,
                                                 const platforms::Machine& machine);

}  // namespace tutti::studies
