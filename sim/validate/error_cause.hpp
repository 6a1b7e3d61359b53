// SPDX-License-Identifier: BSD-3-Clause
// The probable causes of errors of predicted times, as far as the other times of a comparison show
// them.
#pragma once

#include "sim/validate/scoreboard.hpp"

namespace tutti::studies {

// Returns the cause of the error of times[index]: the first of these that more than halves the
// logarithm of simulated over measured time.
//   other algorithm  the measured time is that of another algorithm (SimilarTimes)
//   runs differ      another run measured this call
//   outlier          the measured time is interpolated between the next smaller and the next larger
//                    message of the same run and algorithm
//   contention       the simulated time is that of ranks alone, or with contention at NICs only
//   whole run        the simulated times of this run are divided by the median of their ratios
//   algorithm        those of this algorithm are, at sizes that differ by at most a factor of 16
// "unknown" if there is none of them.
std::string error_cause(const std::vector<ScoredTime>& times, const FoundSimilar& similar,
                        std::size_t index);

}  // namespace tutti::studies
