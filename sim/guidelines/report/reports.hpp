// SPDX-License-Identifier: BSD-3-Clause
// The reports of `sim guidelines`: which performance guidelines hold, and what tuning brings.
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/comparison.hpp"
#include "sim/guidelines/tuning.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

struct GuidelinesReport : ReportHead {
  Bytes element_bytes = 1;
  std::vector<std::string> measured = {};  // the files of measured times; none: simulated
  std::vector<std::string> omitted = {};   // of them: sentences
  std::string selection;                   // as asked for
  std::string noise;                       // empty: none
  studies::guidelines::Measuring measuring;
  studies::guidelines::Settlings settlings;  // where repetitions are estimated
  studies::guidelines::Thresholds thresholds;
  std::vector<studies::guidelines::Setting> settings;
  std::size_t not_run = 0;
};

Document guidelines_document(const GuidelinesReport& report);
// "alltoall default is skipped from 64 B on: why", for what was not run.
std::vector<std::string> skipped_in(const std::vector<studies::guidelines::Setting>& settings);
// The names of its tables.
std::vector<std::string> guidelines_document_parts();

// What a check of guidelines measured, as ReproMPI prints it (github.com/hunsa/reprompi, and
// Listing 2 of PGMPITuneLib's paper): a line for each repetition, for scripts that read such files.

// Header lines "#@key=value", then the columns test, nrep (from 0 on), count (elements,
// as the collective's call counts), runtime_sec, and two that ReproMPI lacks, behind them:
// mpirun (from 0 on) and nprocs, which stand in one file here. test is the collective, MPI_Gather,
// or a mock-up by the name that PGMPITuneLib has for it, gather_as_allgather.
std::string guidelines_repro(const GuidelinesReport& report);

// Mock-ups beside their collective as PGMPITuneLib's paper draws them (Figures 4 to 6): latency by
// message size, default = 1, with bars from the fastest to the slowest run.

// The collectives of which there is something to draw.
std::vector<std::string> collectives_compared(const GuidelinesReport& report);

// One of them: a panel for each number of processes. What is slower than four times the default is
// cut off, as in the paper.
Result<LinesPicture> guidelines_picture(const GuidelinesReport& report,
                                        const std::string& collective);

// What `tune` chose, and what it brings: default, tuned by profiles, and tuned by parameters side
// by side.

struct GuidelinesTuneReport : ReportHead, studies::guidelines::TuningFound {
  std::string selection;  // as asked for
  int runs = 1;
  studies::guidelines::Thresholds thresholds;
  std::vector<std::string> files;  // of the profiles
};

Document guidelines_tune_document(const GuidelinesTuneReport& report);
std::vector<std::string> guidelines_tune_document_parts();

}  // namespace tutti::reports
