// SPDX-License-Identifier: BSD-3-Clause
// Which performance guidelines hold, for people and programs.
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/comparison.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct GuidelinesReport : ReportHead {
  Bytes element_bytes = 1;
  std::vector<std::string> measured = {};  // the files of measured times; none: simulated
  std::vector<std::string> left_out = {};  // of them: sentences
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

}  // namespace tutti::reports
