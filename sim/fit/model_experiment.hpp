// SPDX-License-Identifier: BSD-3-Clause
// The communication experiments by which the parameters of an algorithm's model are found.
#pragma once

#include <optional>

#include "sim/studies/point.hpp"
#include "sim/studies/precise_time.hpp"

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

}  // namespace tutti::studies
