// SPDX-License-Identifier: BSD-3-Clause
// The points of a store's studies as one table, for export and pictures.
#pragma once

#include "sim/base/cell.hpp"
#include "sim/base/result.hpp"
#include "sim/store/store.hpp"

namespace tutti::studies {

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
