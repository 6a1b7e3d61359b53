// SPDX-License-Identifier: BSD-3-Clause
// Sets of parameters as JSON and as a table.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::reports {

// One line: number, host, application, build, category, collective, procs, nodes, message_bytes,
// problem_size, metric, value, stored, current, parameters {}, about {}; no value is null.
std::string set_json(const store::ParameterSet& set);
// A line each, for another database; `file` is the place of errors.
Result<std::vector<store::ParameterSet>> read_sets_json(std::string_view text,
                                                        const std::string& file);

// In a format "text", "csv", "json" or "jsonl". CSV has a column for each field, then one for each
// parameter that any has ("mpi/eager_limit").
std::string render_sets(const std::vector<store::ParameterSet>& sets, const std::string& format);

}  // namespace tutti::reports
