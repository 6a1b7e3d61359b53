// SPDX-License-Identifier: BSD-3-Clause
// What the JSON of reports has in common.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/base/cell.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

// What every report begins with; without a platform if the report has none.
nlohmann::ordered_json head_json(const ReportHead& report,
                                 std::string_view schema = "sim.result/1");
// The head and a member `points`.
nlohmann::ordered_json points_json(const ReportHead& head, const Table& points);
// On lines indented by so much, or on one. File names may be any bytes; this is UTF-8.
std::string dumped(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace tutti::reports
