// SPDX-License-Identifier: BSD-3-Clause
// The order in which tables show points.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// True if the rows, of which there must be one, differ in the column.
bool varies(const Table& table, std::size_t column);
// Indices of the rows, sorted by the varying parameters. A store returns points in the order of
// their keys.
std::vector<std::size_t> in_order(const Table& table);

}  // namespace tutti::reports
