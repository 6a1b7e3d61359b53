// SPDX-License-Identifier: BSD-3-Clause
// What the renderers of reports share.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

// A member `points` below what every report begins with; the same as lines, a point each.
std::string json_page(const ReportHead& head, const Table& points);
std::string jsonl_page(const ReportHead& head, const Table& points);
// OSU's two columns: size and the average latency. Records must be timed.
std::string render_osu(const Report& report);

// Provenance as sentences of one line, without a comment sign: versions, command, platform, failed
// points (the first 20 of them; JSON names all).
std::vector<std::string> provenance_lines(const ReportHead& report);
// "bcast" -> "MPI_Bcast".
std::string mpi_name(std::string_view collective);
// What follows "engine flow" where messages do not share all links, else nothing.
std::string contention_words(std::string_view contention);
// "1 process", "576 processes".
std::string processes(std::int64_t count);
// "48 per node"; "at most 48 per node" where some node in use has fewer.
std::string per_node(const studies::Record& record);

// Comma-separated values as in RFC 4180, with '\n' line ends.

// Quoted where it must be.
std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);

// A header and a line for each row.
std::string csv_table(const Table& table);

}  // namespace tutti::reports
