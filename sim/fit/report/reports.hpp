// SPDX-License-Identifier: BSD-3-Clause
// What fits print: of machines, of models, of machines compared with measured times.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/machine_fit.hpp"
#include "sim/fit/model_study.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

// A machine's simulated times beside measured ones: `sim fit platform --check`.

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

// What `sim fit platform` found, and how far a machine is from measurements.

using studies::FittedPath;

// Who moves the data of a rendezvous: chosen, not moved.
struct FittedRendezvous {
  platforms::Rendezvous value = platforms::Rendezvous::get;
  studies::ParameterStatus status = studies::ParameterStatus::uncertain;
  std::string note = {};
};

struct FitReport : ReportHead {
  std::string name;                // of the machine
  std::vector<std::string> files;  // that were read
  std::vector<FittedPath> paths;
  std::optional<FittedRendezvous> rendezvous = {};  // between nodes; unset: it is not fitted
  std::optional<studies::Sharing> sharing = {};
  std::vector<CheckedTime> streams = {};      // and what the machine makes of them
  std::vector<CheckedTime> collectives = {};  // fitted to, and what the machine makes of them
  std::optional<studies::CrossValidation> validation = {};  // of the fit to collectives
};

Document fit_document(const FitReport& report);
std::vector<std::string> fit_document_parts();

// Of cards and of the whole network, a sentence each.
std::vector<std::string> sharing_sentences(const studies::Sharing& sharing);

// What the data leave open, a sentence each.
std::vector<std::string> fit_warnings(const FittedPath& path);
// A sentence for each part of a fit (a path, streams, collectives) whose errors are large: their
// median exceeds 15 % or their 90th percentile 60 %. Errors are relative, without their signs.
std::vector<std::string> poor_fits(const FitReport& report);

// What `sim fit models` tells: gamma, the parameters of each algorithm, how far the models are off.

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
