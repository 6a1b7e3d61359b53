// SPDX-License-Identifier: BSD-3-Clause
// The data of the page's scripts, as JSON, and properties of the columns that its parts share.
#pragma once

#include "sim/reports/cell_json.hpp"
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

Json timeline_json(const TimelinePicture& picture);
// The varying parameters and the results, one row for each point that has a result.
Json points_json(const ResultFile& file);
Json failed_json(const ResultFile& file);
// The cost and the constants are pairs of a name and a text.
Json cost_json(const ResultFile& file);
Json constants_json(const ResultFile& file);
// All tables except the points.
Json tables_json(const ResultFile& file);
Json studies_json(const ResultFile& file);

// Its name in basics.js.
std::string_view name_of_quantity(Quantity quantity);
bool is_empty(const Cell& cell);
// The columns that distinguish the points: varying parameters or, if all parameters are the same,
// the varying columns that follow from them.
std::vector<std::size_t> naming_columns(const Table& table);

}  // namespace tutti::reports
