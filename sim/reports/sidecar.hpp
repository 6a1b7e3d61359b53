// SPDX-License-Identifier: BSD-3-Clause
// Provenance of a CSV. The CSV itself contains only a header and rows, so that every CSV reader can
// read it. Its provenance is in a JSON file in the same folder ("times.csv.json" for "times.csv"),
// or in comments above the header.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

enum class CsvProvenance : unsigned char { sidecar, comments, none };
// The values of --provenance, in the order of the enumeration.
inline constexpr std::array<std::string_view, 3> csv_provenances{"sidecar", "comments", "none"};

inline constexpr std::string_view sidecar_schema = "sim.provenance/1";

// Path of the sidecar of a CSV.
std::string sidecar_path(const std::string& csv_path);
// Contents of a sidecar: the head of the report, notes, and the size and hash of the CSV.
std::string sidecar_text(const ReportHead& head, const std::vector<std::string>& notes,
                         std::string_view csv);
// True if a text with this beginning was written as a sidecar of any CSV.
bool begins_sidecar(std::string_view text);
inline constexpr std::size_t sidecar_start = 64;  // number of bytes that `begins_sidecar` needs

// The provenance as lines that begin with '#'.
std::string comments(const ReportHead& head, const std::vector<std::string>& notes = {});

// The table with additional columns for the platform and its overrides in front, if the head has a
// platform. Columns that the table has already are not added.
Table with_platform(const ReportHead& head, Table table);

}  // namespace tutti::reports
