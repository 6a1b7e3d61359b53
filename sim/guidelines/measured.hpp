// SPDX-License-Identifier: BSD-3-Clause
// Guidelines of a real MPI library: turns measured times of its collectives and of their mock-ups
// into the settings of a check.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/guidelines/settings.hpp"

namespace tutti::studies::guidelines {

// A ReproMPI file: one run of mpirun, or several if it has a column `mpirun`.
struct MeasuredTable {
  std::string path;  // the place of errors
  Table table;
};

// With fewer runs, no difference of their medians is significant, so repetitions are compared.
inline constexpr std::size_t least_runs = 4;

struct MeasuredSettings {
  // Sorted by collective, processes and size, with the default first. Sides have times and
  // latencies; their points contain only the size.
  std::vector<Setting> settings;
  std::vector<std::string> omitted;  // sentences about mock-ups without default, and vice versa
};

// Reads the columns collective (a default) or algorithm (a mock-up by PGMPITuneLib's name), procs,
// message_bytes, time_s, and optionally mpirun. Rows that are not about the collectives and
// mock-ups of `spec` are skipped. Fails if a row has no number of processes or no size, or if there
// is nothing to compare.
Result<MeasuredSettings> measured_settings(const std::vector<MeasuredTable>& files,
                                           const Spec& spec);

}  // namespace tutti::studies::guidelines
