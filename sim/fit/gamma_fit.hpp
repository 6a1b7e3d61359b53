// SPDX-License-Identifier: BSD-3-Clause
// gamma(P) of a machine (Nuriyev, Lastovetsky, section 4.1): linear broadcasts of a segment by
// non-blocking sends to P - 1 ranks, one on a node, each until the last rank has it. On a real
// machine barriers between the calls tell the root when that is; a simulation knows.
#pragma once

#include <vector>

#include "algorithms/models/stages.hpp"
#include "platforms/machine.hpp"
#include "sim/base/result.hpp"
#include "sim/base/units.hpp"
#include "sim/fit/model_experiment.hpp"

namespace tutti::studies {

inline constexpr int most_gamma_procs = 16;  // beyond it gamma is a straight line

// Of P = 2, 3, ... up to `most_procs`, as far as the machine has nodes; noise as given. Errors: a
// machine of one node.
Result<std::vector<ModelExperiment>> gamma_experiments(const platforms::Machine& machine,
                                                       Bytes segment_bytes, int most_procs,
                                                       const runtime::Noise& noise);

struct GammaFit {
  algorithms::models::Gamma gamma;
  double largest_residual = 0;  // of the measured values from their straight line, as a part
};
// Of the times of P = 2, 3, ...; at least one, all positive.
GammaFit gamma_of(const std::vector<Seconds>& times);

}  // namespace tutti::studies
