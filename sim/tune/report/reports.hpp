// SPDX-License-Identifier: BSD-3-Clause
// Reports of `sim tune`: the best values, the cost and quality of each search, the sensitivity to
// each parameter, and the gain of each time of the objective.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/tune/hint_effects.hpp"
#include "sim/tune/tune_run.hpp"

namespace tutti::reports {

// The settings for a version of Open MPI.
struct TuneMca {
  std::string version;
  std::vector<std::pair<std::string, std::string>> settings;  // name, value
  std::vector<std::string> remarks;  // parameters that it does not support, and why
};

struct TuneReport : ReportHead, studies::tuning::TuneFindings {
  std::optional<TuneMca> mca;
};

// `above` is a / b - 1; `gain_of` is the time saved, as a fraction of the time with the default
// values. Nothing if a value is missing or the divisor is 0.
std::optional<double> above(const std::optional<double>& a, const std::optional<double>& b);
std::optional<double> gain_of(const std::optional<double>& default_s,
                              const std::optional<double>& value_s);

// Adds how many simulations failed to the lines above a document, if any did.
void add_failures(const studies::tuning::TuneFindings& found, Document& document);

Document tune_document(const TuneReport& report);
std::vector<std::string> tune_document_parts();

// Report of `sim tune --each`: objectives tuned separately, and the searches compared over all of
// them.

struct TuneEachReport : ReportHead {
  std::string name;
  std::string description;
  std::vector<std::string> remarks;
  std::vector<studies::tuning::TunedObjective> objectives;
};

Document tune_each_document(const TuneEachReport& report);
std::vector<std::string> tune_each_document_parts();

// Report of `sim tune hints`: the time before and after, and which hints matter.

struct HintReport : ReportHead, studies::tuning::HintFindings {
  std::string job;                  // "write of /scratch/file, 8 processes on 2 nodes, romio"
  std::optional<Seconds> logged_s;  // measured, in the log
  std::vector<std::string> advice;  // what to do with the result
};

Document hint_document(const HintReport& report);
std::vector<std::string> hint_document_parts();

}  // namespace tutti::reports
