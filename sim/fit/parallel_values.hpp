// SPDX-License-Identifier: BSD-3-Clause
// Computes numbers by simulations in several child processes.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

// Returns the numbers in order. With `jobs` = 1, or at most `few` of them, all are computed in this
// process, because starting a child costs as much as some simulations. Errors: the first of a
// number, an interrupt.
Result<std::vector<double>> values_in_parallel(
    std::size_t count, int jobs, std::size_t few,
    const std::function<Result<double>(std::size_t)>& value);

}  // namespace tutti::studies
