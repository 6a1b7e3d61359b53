// SPDX-License-Identifier: BSD-3-Clause
// Runs points for a program that only wants their answers.
#pragma once

#include <vector>

#include "sim/studies/study_runner.hpp"

namespace tutti::studies {

// The answers in the order of the points, several of which run at a time, each in a child.
std::vector<Result<Row>> run_points(const std::vector<StudyPoint>& points,
                                    const RunnerLimits& limits);

}  // namespace tutti::studies
