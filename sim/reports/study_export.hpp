// SPDX-License-Identifier: BSD-3-Clause
// The table of a store's studies, most of all for programs: CSV, JSON, JSON lines.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"
#include "sim/store/store.hpp"

namespace tutti::reports {

// JSON and JSON lines begin with the studies' names and descriptions, as schema "sim.study/1". Text
// and Markdown have the columns in which points differ, and their times.
std::string render_study(const Table& table, const std::vector<store::StoredStudy>& studies,
                         Format format, std::optional<std::size_t> width = {});

// "study first: bcast over sizes", a sentence for each.
std::vector<std::string> study_sentences(const std::vector<store::StoredStudy>& studies);

}  // namespace tutti::reports
