// SPDX-License-Identifier: BSD-3-Clause
// Reports of fits: of platforms, of models, and of machines compared with measured times.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/machine_fit.hpp"
#include "sim/fit/model_study.hpp"
#include "sim/fit/storage_fit.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

// Simulated times of a machine compared with measured ones: `sim fit platform --check`.

using studies::CheckedTime;

struct FitCheckReport : ReportHead {
  std::vector<CheckedTime> times;
};

Document fit_check_document(const FitCheckReport& report);
std::vector<std::string> fit_check_document_parts();

// Returns the absolute values of the relative errors.
std::vector<double> errors_of(const std::vector<CheckedTime>& times);
// Returns for example "3.1 %, 90th percentile 12.0 %".
std::string median_and_p90(const std::vector<double>& errors);
double median_error(const std::vector<CheckedTime>& times);

// Result of `sim fit platform`, and the errors of the machine against the measurements.

using studies::FittedPath;

// The side that moves the data of a rendezvous: a discrete choice, not a fitted number.
struct FittedRendezvous {
  platforms::Rendezvous value = platforms::Rendezvous::get;
  studies::ParameterStatus status = studies::ParameterStatus::uncertain;
  std::string note = {};
};

struct FitReport : ReportHead {
  std::string name;                // name of the machine
  std::vector<std::string> files;  // files that were read
  std::vector<FittedPath> paths;
  std::optional<FittedRendezvous> rendezvous = {};  // between nodes; unset: not fitted
  std::optional<studies::Sharing> sharing = {};
  std::optional<studies::NicFit> nic = {};
  std::optional<studies::TypicalNode> node = {};
  std::vector<CheckedTime> streams = {};      // measured, and simulated on the fitted machine
  std::vector<CheckedTime> collectives = {};  // measured, and simulated on the fitted machine
  std::vector<studies::CrossValidation> validations = {};  // of the fit to collectives
  studies::RunSpread runs = {};
};

Document fit_document(const FitReport& report);
std::vector<std::string> fit_document_parts();

// Returns one sentence about the NICs and one about the whole network.
std::vector<std::string> sharing_sentences(const studies::Sharing& sharing);

// Returns one sentence for each group of parameters that the data leave open.
std::vector<std::string> fit_warnings(const FittedPath& path);
// Returns a sentence for each part of a fit (a path, streams, collectives) whose errors are large:
// the median of their absolute values exceeds 15 %, or the 90th percentile 60 %.
std::vector<std::string> poor_fits(const FitReport& report);

// Report of `sim fit models`: gamma, the parameters of each algorithm, and the errors of the
// models.

using studies::FittedCall;

struct ModelFitReport : ReportHead, studies::FittedModels {
  std::size_t not_run = 0;
};

Document model_fit_document(const ModelFitReport& report);
std::vector<std::string> model_fit_document_parts();

// Returns warnings about parameters that the experiments do not separate and about large errors.
std::vector<std::string> model_fit_warnings(const studies::ModelFile& file);

// Report of `sim fit storage`: the specification for --storage, its parameters, and the errors of
// the simulated bandwidths.

struct StorageFitReport : ReportHead, studies::StorageFit {
  std::vector<std::string> files;
  std::vector<studies::StorageMeasurement> measured;  // as in `predicted_Bps`
};

Document storage_fit_document(const StorageFitReport& report);
std::vector<std::string> storage_fit_document_parts();

}  // namespace tutti::reports
