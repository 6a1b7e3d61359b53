// SPDX-License-Identifier: BSD-3-Clause
// What a check of guidelines measured, as ReproMPI prints it (github.com/hunsa/reprompi, and
// Listing 2 of PGMPITuneLib's paper): a line for each repetition, for scripts that read such files.
#pragma once

#include <string>

#include "sim/guidelines/report/guidelines_report.hpp"

namespace tutti::reports {

// Header lines "#@key=value", then the columns test, nrep (from 0 on), count (elements,
// as the collective's call counts), runtime_sec, and two that ReproMPI lacks, behind them:
// mpirun (from 0 on) and nprocs, which stand in one file here. test is the collective, MPI_Gather,
// or a mock-up by the name that PGMPITuneLib has for it, gather_as_allgather.
std::string guidelines_repro(const GuidelinesReport& report);

}  // namespace tutti::reports
