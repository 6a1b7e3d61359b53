// SPDX-License-Identifier: BSD-3-Clause
// Parameter sets as JSON and as a table.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::reports {

// One line of JSON: number, host, application, build, category, collective, procs, nodes,
// message_bytes, problem_size, metric, value, stored, current, parameters {}, about {}. A missing
// value is null.
std::string set_json(const store::ParameterSet& set);
// Reads one set per line; `file` is the place of errors.
Result<std::vector<store::ParameterSet>> read_sets_json(std::string_view text,
                                                        const std::string& file);

// `format` is "text", "csv", "json" or "jsonl". CSV has one column per field, then one per
// parameter that occurs in any set ("mpi/eager_limit").
std::string render_sets(const std::vector<store::ParameterSet>& sets, const std::string& format);

}  // namespace tutti::reports
