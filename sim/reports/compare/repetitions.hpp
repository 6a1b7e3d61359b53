// SPDX-License-Identifier: BSD-3-Clause
// Measured repetitions, a row each, as one value of their point.
#pragma once

#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

// A row for each point, in the order of their first ones: its `time_s`, in seconds, is the median
// over the runs (`mpirun`) of the medians of their repetitions, as PGMPITuneLib's paper counts. A
// file without repetitions comes back as it is.
ResultFile with_medians(ResultFile file);

}  // namespace tutti::reports
