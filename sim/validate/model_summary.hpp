// SPDX-License-Identifier: BSD-3-Clause
// What many collective calls beside their formulas say together: where each formula is how far off
// and why, and whether it ranks the algorithms rightly.
#pragma once

#include <vector>

#include "sim/base/cell.hpp"
#include "sim/studies/checked_call.hpp"

namespace tutti::studies {

// One number of processes runs with different numbers on a node: then places tell both, "64/16 x 1
// KiB".
bool ppn_varies(const std::vector<CheckedCall>& calls);

// A row for each call and formula: parameters, times, errors, the parts of the error.
Table model_points(const std::vector<CheckedCall>& calls);

// A row for each collective, algorithm and model: calls; the error's median and 90 % without its
// sign; the error (with its sign) and simulated over formula where these two are farthest apart by
// a factor, and where that is; the median of simulated over formula; each part's share of the sum
// of all parts without their signs; the greatest share's name. Errors are of `error`, or of
// `contention_free_error` where nothing else was simulated.
Table model_errors(const std::vector<CheckedCall>& calls);

// A row for each collective and model, over the settings (processes, placement, size) that have
// several algorithms: pairs of algorithms whose simulated times differ by more than 1 %, and how
// many of them the model orders so (equal formulas order nothing); how often its choice is within
// 1 % of the best; the regret of its choice, simulated time over the best one's less 1: median,
// 90 %, worst and where. Of equal formulas the slowest algorithm is its choice: nothing in the
// model speaks against it.
Table model_ranking(const std::vector<CheckedCall>& calls);

// A row for each setting and model: the best by simulation, the model's choice, its regret.
Table model_choices(const std::vector<CheckedCall>& calls);

}  // namespace tutti::studies
