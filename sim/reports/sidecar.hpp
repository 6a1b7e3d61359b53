// SPDX-License-Identifier: BSD-3-Clause
// Where a CSV comes from. The CSV itself is a header and rows, for every reader of CSV; its
// provenance is a JSON file beside it ("times.csv" has "times.csv.json"), or comments above it.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

enum class CsvProvenance : unsigned char { sidecar, comments, none };
// As --provenance takes them, in the order of the enumeration.
inline constexpr std::array<std::string_view, 3> csv_provenances{"sidecar", "comments", "none"};

inline constexpr std::string_view sidecar_schema = "sim.provenance/1";

// Of the CSV's path.
std::string sidecar_path(const std::string& csv_path);
// The head of reports, notes, and the size and hash of the CSV that it describes.
std::string sidecar_text(const ReportHead& head, const std::vector<std::string>& notes,
                         std::string_view csv);
// Whether a text that begins so was written as a sidecar, of whatever CSV.
bool begins_sidecar(std::string_view text);
inline constexpr std::size_t sidecar_start = 64;  // bytes that are enough for that

// The same as lines with a '#' in front of each.
std::string comments(const ReportHead& head, const std::vector<std::string>& notes = {});

// The table with columns for the platform and what was set of it in front, where the head has a
// platform and the table has no column of that name.
Table with_platform(const ReportHead& head, Table table);

}  // namespace tutti::reports
