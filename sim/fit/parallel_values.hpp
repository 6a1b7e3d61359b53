// SPDX-License-Identifier: BSD-3-Clause
// Computes numbers by simulations in several child processes.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

// Returns `value(i)` for each i below `count`. With one job, or at most `few` numbers, all are
// computed in this process, because starting a child costs as much as some simulations. Errors: the
// first error of a number, an interrupt.
Result<std::vector<double>> values_in_parallel(
    std::size_t count, int jobs, std::size_t few,
    const std::function<Result<double>(std::size_t)>& value);

}  // namespace tutti::studies
