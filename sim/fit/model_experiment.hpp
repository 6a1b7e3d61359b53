// SPDX-License-Identifier: BSD-3-Clause
// The communication experiments by which the parameters of an algorithm's model are found.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/precise_time.hpp"
#include "sim/studies/study_point.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {

// A call, and maybe the linear gather of section 4.2 behind it (Nuriyev, Lastovetsky): so many
// bytes from every rank to the call's root, which sees by its own clock when all is over. Without
// it the time ends with the last rank, as a simulation can tell.
struct ModelExperiment {
  Point point;
  std::optional<Bytes> gather_bytes;
};

// By engine `flow`, in this process; under noise until the mean is precise.
Result<PreciseTime> experiment_time(const ModelExperiment& experiment,
                                    const platforms::Machine& machine);

// Calls of one algorithm; none where Open MPI refuses it.
Result<std::vector<Point>> calls_that_run(Sweep sweep, const std::string& algorithm,
                                          const platforms::Machine& machine);

// `machine` and the experiments outlive them.
std::vector<StudyPoint> simulations_of(const std::vector<ModelExperiment>& experiments,
                                       const platforms::Machine& machine);

// The experiments of Nuriyev and Lastovetsky (sections 4 and 5) as they were measured on a real
// machine, in place of simulations.

struct MeasuredExperiments {
  std::vector<ModelExperiment> experiments;
  std::vector<PreciseTime> times;     // of each: the mean of its repetitions
  std::vector<Seconds> gamma_times;   // of P = 2, 3, ...: linear broadcasts; none were measured
  std::size_t without_algorithm = 0;  // rows whose algorithm the library chose
  std::size_t other_algorithm = 0;    // calls that silently run as another algorithm
};

struct MeasuredSpec {
  std::vector<std::string> collectives;  // none: all
  std::vector<std::string> algorithms;   // none: all
  Bytes gamma_bytes = 0;                 // of the linear broadcasts behind gamma
};

// Rows of one call are its repetitions. Errors: several numbers of processes per node, a call that
// cannot be (each sort once), nothing left.
Result<MeasuredExperiments> measured_experiments(const std::vector<MeasuredCollective>& rows,
                                                 const MeasuredSpec& spec,
                                                 const platforms::Machine& machine);

}  // namespace tutti::studies
