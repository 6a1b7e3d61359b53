// SPDX-License-Identifier: BSD-3-Clause
// What `sim fit platform` found, and how far a machine is from measurements.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/report/fit_check_report.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

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

}  // namespace tutti::reports
