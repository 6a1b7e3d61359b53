// SPDX-License-Identifier: BSD-3-Clause
// What `sim fit models` tells: gamma, the parameters of each algorithm, how far the models are off.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/model_study.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

using studies::FittedCall;

struct ModelFitReport : ReportHead, studies::FittedModels {
  std::size_t not_run = 0;
};

Document model_fit_document(const ModelFitReport& report);
std::vector<std::string> model_fit_document_parts();

// What must not be overlooked: parameters that the experiments do not tell apart, errors that are
// large.
std::vector<std::string> model_fit_warnings(const studies::ModelFile& file);

}  // namespace tutti::reports
