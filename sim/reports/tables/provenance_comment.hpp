// SPDX-License-Identifier: BSD-3-Clause
// What the comments above a CSV report of `sim run` say of its rows.
#pragma once

#include <string_view>

#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

// A comment without its '#'. "platform crill (catalog), hash 1234...: 16 nodes x 48 cores,
// mpi/eager_limit = 48KiB" gives columns that the rows lack; "failed: ..." a failed point.
void take_comment(std::string_view comment, ResultFile& file);
// After the last row.
void finish_comments(ResultFile& file);

}  // namespace tutti::reports
