// SPDX-License-Identifier: BSD-3-Clause
// Collective calls beside their formulas, for people and programs.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/studies/checked_call.hpp"

namespace tutti::reports {

struct ModelReport : ReportHead {
  std::vector<studies::CheckedCall> calls;
  studies::ModelParameters parameters;
  studies::ModelCheckOptions options;
  std::size_t not_run = 0;
};

// "Hockney (crill:hockney): l 1.60 us, ...; LogGP ...".
std::string parameters_text(const studies::ModelParameters& parameters);

Document model_document(const ModelReport& report);
// The names of its tables.
std::vector<std::string> model_document_parts();

}  // namespace tutti::reports
