// SPDX-License-Identifier: BSD-3-Clause
// The table of the studies in a store, mainly for programs: CSV, JSON, JSON lines.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"
#include "sim/store/store.hpp"

namespace tutti::reports {

// JSON and JSON lines (schema "sim.study/1") begin with the names and descriptions of the studies.
// Text and Markdown show the columns in which points differ, and their times.
std::string render_study(const Table& table, const std::vector<store::StoredStudy>& studies,
                         Format format, std::optional<std::size_t> width = {});

// A sentence for each study: "study first: bcast over sizes".
std::vector<std::string> study_sentences(const std::vector<store::StoredStudy>& studies);

}  // namespace tutti::reports
