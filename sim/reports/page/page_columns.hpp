// SPDX-License-Identifier: BSD-3-Clause
// Properties of the columns of result tables, shared by the parts of the page.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/tables/row_order.hpp"

namespace tutti::reports {

// Its name in basics.js.
const char* name_of_quantity(Quantity quantity);
bool is_empty(const Cell& cell);
// The columns that distinguish the points: varying parameters or, if all parameters are the same,
// the varying columns that follow from them.
std::vector<std::size_t> naming_columns(const Table& table);

}  // namespace tutti::reports
