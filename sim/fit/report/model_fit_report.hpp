// SPDX-License-Identifier: BSD-3-Clause
// What `sim fit models` tells: gamma, the parameters of each algorithm, how far the models are off.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/fit/model_fit.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct FittedCall {
  std::string collective;
  std::string algorithm;
  std::int64_t procs = 0;
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;
  studies::PreciseTime observed;
  Seconds predicted_s = 0;  // of the whole experiment
};

struct ModelFitReport : ReportHead {
  studies::ModelFile file;
  double gamma_residual = 0;
  std::vector<FittedCall> calls;
  std::size_t not_run = 0;
};

Document model_fit_document(const ModelFitReport& report);
std::vector<std::string> model_fit_document_parts();

// What must not be overlooked: parameters that the experiments do not tell apart, errors that are
// large.
std::vector<std::string> model_fit_warnings(const studies::ModelFile& file);

}  // namespace tutti::reports
