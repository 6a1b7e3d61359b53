// SPDX-License-Identifier: BSD-3-Clause
// Reports of `sim tune`: the best values, the cost and quality of each search, the sensitivity to
// each parameter, and the gain of each time of the objective.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/mca_names.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/tune/hint_effects.hpp"
#include "sim/tune/tune_run.hpp"

namespace tutti::reports {

struct TuneReport : ReportHead, studies::tuning::TuneFindings {
  // The settings for a version of Open MPI; unset: not requested.
  std::optional<studies::tuning::McaExport> mca;
  std::string mca_version;  // "4.1"
};

// Adds how many simulations failed to the lines above a document, if any did.
void add_failures(const studies::tuning::TuneFindings& findings, Document& document);

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
