// SPDX-License-Identifier: BSD-3-Clause
// The keys that a study file may have (KnownOptions), and the points of a store's studies as one
// table, for export and plots (study_table).
#pragma once

#include "sim/base/common.hpp"
#include "sim/store/store.hpp"
#include "sim/studies/study_file.hpp"

namespace tutti::studies {

// The keys that a study may have.
class KnownOptions {
 public:
  explicit KnownOptions(const std::vector<StudyOption>& options);

  // The option of a key, which may also be one of --set.
  std::optional<StudyOption> find(const std::string& key) const;
  std::vector<std::string> keys() const;

 private:
  std::map<std::string, StudyOption> by_key_;
};

// Expands ranges of sizes and numbers: "1KiB..4KiB" becomes 1024, 2048, 4096; any other text is one
// value. For keys of --set only valid ranges of sizes are expanded.
Result<std::vector<std::string>> expand_value(const std::string& text, const StudyOption& option);

// Returns a row for each point that belongs to a study, ordered by key, independent of the order of
// insertion. Columns:
//   key, status, platform, platform_hash,
//   the keys of --set of any point ("mpi/eager_limit"), by name,
//   the columns of `sim run` if any point is a collective, those of collective I/O if any is I/O,
//   all others by name (command, model_version, ...),
//   error: the reason why a point failed.
// Omits `description`, which duplicates other columns, and `output`, the stderr of a failed point;
// without cost also wall time, memory and timestamps, which differ between runs.
Result<Table> study_table(const store::Store& store, bool with_cost);

}  // namespace tutti::studies
