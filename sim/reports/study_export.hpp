// SPDX-License-Identifier: BSD-3-Clause
// The table of a store's studies, for programs: CSV, JSON, JSON lines.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"
#include "sim/store/store.hpp"

namespace tutti::reports {

// csv, json and jsonl; not others. The CSV is the table alone: a header and a line for each row.
// The others begin with the studies' names and descriptions, as schema "sim.study/1".
std::string render_study(const Table& table, const std::vector<store::StoredStudy>& studies,
                         Format format);

}  // namespace tutti::reports
