// SPDX-License-Identifier: BSD-3-Clause
// The documents of `sim validate`, and the names of their tables.
#pragma once

#include "io_models/two_phase_model.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/validate/model_summary.hpp"
#include "sim/validate/scoreboard.hpp"

namespace tutti::reports {

// `measured`: the accuracy of predictions, compared with measured collectives. Errors are
// (predicted - measured) / measured.
struct MeasuredReport : ReportHead, studies::ScoredTimes {
  std::vector<studies::MeasuredCollective> others;  // of algorithms that Tutti does not have
  std::string benchmark;                            // empty: bare calls
};
Document measured_document(const MeasuredReport& report);
std::vector<std::string> measured_document_parts();

// `models`: simulated collective calls, compared with their formulas.
struct ModelReport : ReportHead, studies::CheckedCalls {
  studies::ModelParameters parameters;
  studies::ModelCheckOptions options;
};
Document model_document(const ModelReport& report);
std::vector<std::string> model_document_parts();

// `io`: the model's parameters compared with Table 5.1 of Jha's dissertation; without provenance.
Document io_parameter_document(const std::vector<io_models::ComparedValue>& values);
std::vector<std::string> io_parameter_parts();

}  // namespace tutti::reports
