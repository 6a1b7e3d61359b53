// SPDX-License-Identifier: BSD-3-Clause
// The report of `sim place`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/place/place.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct PlaceReport : ReportHead, studies::place::Placements {
  std::vector<std::string> collectives;
};

Document place_document(const PlaceReport& report);
std::vector<std::string> place_document_parts();

}  // namespace tutti::reports
