// SPDX-License-Identifier: BSD-3-Clause
// What every JSON report begins with.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/reports/report.hpp"

namespace tutti::reports {

// Without a platform if the report has none.
nlohmann::ordered_json head_json(const ReportHead& report,
                                 std::string_view schema = "sim.result/1");

}  // namespace tutti::reports
