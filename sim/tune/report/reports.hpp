// SPDX-License-Identifier: BSD-3-Clause
// What `sim tune` tells: the best values, what each search cost and how good it was, which
// parameters matter, and the gain of each time of the objective.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/tune/tune_run.hpp"

namespace tutti::reports {

// What a version of Open MPI is told.
struct TuneMca {
  std::string version;
  std::vector<std::pair<std::string, std::string>> settings;  // name, value
  std::vector<std::string> remarks;                           // what it cannot be told, and why
};

struct TuneReport : ReportHead, studies::tuning::TuneFindings {
  std::optional<TuneMca> mca;
};

// a / b - 1, and less time than with the default values as a part of it; nothing where one is not
// there, or what is divided by is 0.
std::optional<double> above(const std::optional<double>& a, const std::optional<double>& b);
std::optional<double> gain_of(const std::optional<double>& default_s,
                              const std::optional<double>& value_s);

Document tune_document(const TuneReport& report);
std::vector<std::string> tune_document_parts();

// What `sim tune --each` tells: objectives tuned one by one, and how the searches do on all of
// them.

struct TuneEachReport : ReportHead {
  std::string name;
  std::string description;
  std::vector<std::string> remarks;
  std::vector<studies::tuning::TunedObjective> objectives;
};

Document tune_each_document(const TuneEachReport& report);
std::vector<std::string> tune_each_document_parts();

}  // namespace tutti::reports
