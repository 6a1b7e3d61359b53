// SPDX-License-Identifier: BSD-3-Clause
// A machine's simulated times beside measured ones: `sim fit platform --check`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/machine_fit.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

using studies::CheckedTime;

struct FitCheckReport : ReportHead {
  std::vector<CheckedTime> times;
};

Document fit_check_document(const FitCheckReport& report);
std::vector<std::string> fit_check_document_parts();

// Without their signs.
std::vector<double> errors_of(const std::vector<CheckedTime>& times);
// "3.1 %, 90 % 12.0 %".
std::string median_and_p90(const std::vector<double>& errors);
double median_error(const std::vector<CheckedTime>& times);

}  // namespace tutti::reports
