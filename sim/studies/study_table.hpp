// SPDX-License-Identifier: BSD-3-Clause
// The points of a store's studies as one table, for export and pictures.
#pragma once

#include "sim/base/common.hpp"
#include "sim/store/store.hpp"
#include "sim/studies/study_file.hpp"

namespace tutti::studies {

// The keys that a study may have, and the values that a text of it stands for.

class KnownOptions {
 public:
  explicit KnownOptions(const std::vector<StudyOption>& options);

  // A key with a '/' is one of --set.
  std::optional<StudyOption> find(const std::string& key) const;
  std::vector<std::string> keys() const;

 private:
  std::map<std::string, StudyOption> by_key_;
};

// "1KiB..4KiB" of sizes and numbers: 1024, 2048, 4096; any other text is one value. Of --set only
// what reads as a range of sizes is one.
Result<std::vector<std::string>> expand_value(const std::string& text, const StudyOption& option);

// A number where the text is one, or a size: 65536 of "64KiB"; else the text.
Cell cell_of_text(const std::string& text);

// A row for each point that belongs to a study, ordered by key: the order in which they were put
// does not show. Columns:
//   key, status, platform, platform_hash,
//   the parameters of --set that any point has ("mpi/eager_limit"), by name,
//   the columns of `sim run` if any point is a collective, those of collective I/O if any is I/O,
//   what else there is, by name (command, model_version, ...),
//   error: why a failed point has no answer.
// Left out are `description`, which the other columns tell, and `said`, the stderr of a failed
// point; without cost also wall time, memory and dates, which differ between runs.
Result<Table> study_table(const store::Store& store, bool with_cost);

}  // namespace tutti::studies
