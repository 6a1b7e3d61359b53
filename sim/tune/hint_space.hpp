// SPDX-License-Identifier: BSD-3-Clause
// The study of `sim tune hints`: the hints of MPI-IO that a library has for a job, with values that
// follow from the machine, the storage and the accesses.
#pragma once

#include "io_models/hints.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {

// A hint to search; without values the default ones.
struct WantedHint {
  std::string name;
  std::vector<std::string> values = {};
};
// Parses "cb_nodes=1,2,4" or "cb_nodes".
WantedHint parse_wanted_hint(std::string_view text);

struct HintJob {
  std::string operation;                     // "write", "read"
  const io_models::Implementation* library;  // which the hints modify
  const IoPoint& point;                      // with the hints before
  std::int64_t nodes = 1;                    // of the job
  std::string storage;                       // the option --storage
  StudyGroup base;                           // the options of the job, without hints
  std::vector<io_models::Hint> before = {};  // the job's hints; always has ROMIO's romio_cb_*
  std::vector<WantedHint> wanted = {};       // empty: all hints with default values
  PointInputs inputs = {};                   // inputs that are already read
};

struct HintStudyFile {
  TuneFile file;
  std::vector<std::string> warnings;  // hints without an effect
};
// The default values of each parameter are those before. Errors name --hint.
Result<HintStudyFile> hint_study(const HintJob& job);

// Whether a storage is Lustre, by the catalog or by ROMIO's driver; unset: not known.
std::optional<bool> is_on_lustre(std::string_view storage,
                                 const io_models::Implementation& library);

// The number of simulations of the longest search, before it compares other values.
std::size_t expected_simulations(const TuneFile& file);

// The hints of a combination that the library does not have by itself: hints of the job, and hints
// with a changed value.
std::vector<io_models::Hint> combination_hints(const HintJob& job, const TuneFile& file,
                                               const Combination& combination);

}  // namespace tutti::studies::tuning
