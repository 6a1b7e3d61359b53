// SPDX-License-Identifier: BSD-3-Clause
// The study of `sim tune hints`: the hints of MPI-IO that a library has for a job, with values that
// follow from the machine, the storage and the accesses.
#pragma once

#include "io_models/hints.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/io_record.hpp"
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
  std::vector<io_models::Hint> before = {};  // that the job had
  std::vector<WantedHint> wanted = {};       // empty: all that have default values
};

// The default values of each parameter are those before. Errors name --hint.
Result<TuneFile> hint_study(const HintJob& job);

// The hints of a combination that the library does not have by itself: those before, and those
// with another value.
std::vector<io_models::Hint> hints_of(const HintJob& job, const TuneFile& file,
                                      const Combination& combination);

}  // namespace tutti::studies::tuning
