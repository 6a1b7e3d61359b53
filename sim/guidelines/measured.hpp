// SPDX-License-Identifier: BSD-3-Clause
// Guidelines of a real MPI library: measured times of its collectives and of their mock-ups, as the
// settings of a check.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/guidelines/settings.hpp"

namespace tutti::studies::guidelines {

// One file of ReproMPI: a run of mpirun, unless a column `mpirun` numbers several.
struct MeasuredTable {
  std::string path;  // of errors
  Table table;
};

// With fewer runs no difference of their medians is significant: repetitions are compared.
inline constexpr std::size_t least_runs = 4;

struct MeasuredSettings {
  // By collective, processes, size. Sides have times and latencies, and their points nothing but
  // the size; the default is first.
  std::vector<Setting> settings;
  std::vector<std::string> omitted;  // sentences: mock-ups without a default, sizes without one
};

// Columns: collective (a default) or pattern (a mock-up by PGMPITuneLib's name), procs,
// message_bytes, time_s, maybe mpirun. Of the collectives and mock-ups of `wish`; other rows are
// skipped. Errors: a row without processes or size; nothing to compare.
Result<MeasuredSettings> measured_settings(const std::vector<MeasuredTable>& files,
                                           const Spec& spec);

}  // namespace tutti::studies::guidelines
