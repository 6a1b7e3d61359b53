// SPDX-License-Identifier: BSD-3-Clause
// The answer of a point with all that its report shows, on its way from a runner's child: a row
// with the packed answer in one cell, and the memory that it took.
#pragma once

#include "sim/base/cell.hpp"
#include "sim/studies/run_io.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::studies {

// In the child: simulates the point and measures what that costs. The machine's reading is part of
// it. `watcher`, if any, sees the run.
Result<Row> packed_answer(const Point& point, const platforms::Machine& machine,
                          runtime::Observer* watcher);
Result<Row> packed_answer(const IoPoint& point, const platforms::Machine& machine,
                          runtime::Observer* watcher);

// In the parent.
template <class AnyAnswer>
AnyAnswer unpacked_answer(const Row& row);
template <>
Answer unpacked_answer<Answer>(const Row& row);
template <>
IoAnswer unpacked_answer<IoAnswer>(const Row& row);

}  // namespace tutti::studies
