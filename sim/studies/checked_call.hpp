// SPDX-License-Identifier: BSD-3-Clause
// A collective call, what the formulas say of it, and what simulations do.
#pragma once

#include <string>
#include <vector>

#include "sim/base/cell.hpp"
#include "sim/studies/model_check.hpp"
#include "sim/studies/model_parameters.hpp"

namespace tutti::studies {

struct Formula {
  std::string model;  // "hockney", "loggp"
  std::string set;    // whose parameters
  FormulaTimes times;

  Seconds time_s() const { return times.given_s; }
};

struct CheckedCall {
  std::string collective;
  std::string algorithm;  // with its segment size or fan-out where these are not the default
  std::int64_t procs = 0;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;
  std::string map;
  Bytes message_bytes = 0;
  ModelTimes times;
  std::vector<Formula> formulas;

  // What a formula is measured by: with contention, where that was simulated.
  Seconds simulated_s() const {
    return times.time_s ? *times.time_s : times.contention_free_s.value_or(0);
  }
};

// All but the times. `models`: of "hockney", "loggp". The algorithm has a cost and the job fits.
CheckedCall checked_call(const Point& point, const platforms::Machine& machine,
                         const std::vector<std::string>& models, const ModelParameters& parameters);

// How times travel from a child process.
Row row_of(const ModelTimes& times);
ModelTimes times_in(const Row& row);

// How many formulas are farther off than `most_error`, and which is the worst. Errors are against
// the simulation with contention, or without where that alone was run.
struct FarOff {
  std::size_t above = 0;
  std::size_t all = 0;
  const CheckedCall* worst = nullptr;
  std::string worst_model;
  double worst_error = 0;
};
FarOff far_off(const std::vector<CheckedCall>& calls, double most_error);

}  // namespace tutti::studies
