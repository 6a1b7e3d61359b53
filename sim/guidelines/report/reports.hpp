// SPDX-License-Identifier: BSD-3-Clause
// The reports of `sim guidelines`: violated performance guidelines, and the gain of tuning.
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/comparison.hpp"
#include "sim/guidelines/tuning.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

struct GuidelinesReport : ReportHead {
  Bytes element_bytes = 1;
  std::vector<std::string> measured = {};  // files of measured times; empty: simulated
  std::vector<std::string> omitted = {};   // omitted measured settings, as sentences
  std::string selection;                   // as requested
  std::string noise;                       // empty: none
  studies::guidelines::Measuring measuring;
  studies::guidelines::Settlings settlings;  // if repetitions are estimated
  studies::guidelines::Thresholds thresholds;
  std::vector<studies::guidelines::Setting> settings;
  std::size_t not_run = 0;
};

Document guidelines_document(const GuidelinesReport& report);
// Sentences about skipped calls: "alltoall default is skipped from 64 B on: REASON".
std::vector<std::string> skipped_in(const std::vector<studies::guidelines::Setting>& settings);
// The names of the document's tables.
std::vector<std::string> guidelines_document_parts();

// The times of a check in the format of ReproMPI (github.com/hunsa/reprompi, and Listing 2 of the
// PGMPITuneLib paper), one line per repetition, for scripts that read such files.

// Header lines "#@key=value", then the columns test, nrep (from 0), count (elements, as the
// collective's call counts), runtime_sec, and two columns that ReproMPI does not have: mpirun (from
// 0) and nprocs, because one file contains all runs. test is the collective, MPI_Gather, or a
// mock-up by PGMPITuneLib's name, gather_as_allgather.
std::string guidelines_repro(const GuidelinesReport& report);

// Plots as in Figures 4 to 6 of the PGMPITuneLib paper: relative latency of the mock-ups by message
// size (default = 1), with bars from the fastest to the slowest run.

// The collectives that have data to plot.
std::vector<std::string> collectives_compared(const GuidelinesReport& report);

// The plot of one collective, with a panel for each number of processes. Latencies above four times
// the default are cut off, as in the paper.
Result<LinesPicture> guidelines_picture(const GuidelinesReport& report,
                                        const std::string& collective);

// The mock-ups that `tune` chose, and their gain: the default latency compared with the latency
// tuned by profiles and tuned by parameters.

struct GuidelinesTuneReport : ReportHead, studies::guidelines::TuningResult {
  std::string selection;  // as requested
  int runs = 1;
  studies::guidelines::Thresholds thresholds;
  std::vector<std::string> files;  // written profiles
};

Document guidelines_tune_document(const GuidelinesTuneReport& report);
std::vector<std::string> guidelines_tune_document_parts();

}  // namespace tutti::reports
