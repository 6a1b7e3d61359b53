// SPDX-License-Identifier: BSD-3-Clause
// Functions shared by the formats of reports.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

// The head of a report and its points, as one JSON object or as JSON lines (one line per point).
std::string json_page(const ReportHead& head, const Table& points);
std::string jsonl_page(const ReportHead& head, const Table& points);
// OSU's two columns: size and average latency. Records must have times.
std::string render_osu(const Report& report);

// The tables of nccl-tests. Records must have times, and their collective a test.
std::string render_nccl_tests(const Report& report);

// Provenance, one line each, without comment signs: versions, command, platform, and the first 20
// failed points (JSON lists all).
std::vector<std::string> provenance_lines(const ReportHead& report);
// "bcast" -> "MPI_Bcast".
std::string mpi_name(std::string_view collective);
// Text to append to "engine flow" if messages do not share all links, otherwise empty.
std::string contention_words(std::string_view contention);
// "1 process", "576 processes".
std::string processes(std::int64_t count);
// "48 per node"; "at most 48 per node" if a node in use has fewer.
std::string per_node(const jobs::Record& record);

// Comma-separated values as in RFC 4180, with '\n' line endings.

// Quoted if necessary.
std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);

// A header and a line for each row.
std::string csv_table(const Table& table);
// The CSV with an apostrophe before each text that a spreadsheet would compute as a formula: one
// that begins with '=', '+', '-', '@', a tab or a carriage return, unless it is a number.
std::string spreadsheet_csv(std::string_view csv);

// Parameters of messages whose value depends on the size of the message.

// True for a value with several sizes: "0:2us;16KiB:4us".
bool is_by_size(std::string_view value);
// "2.00 us; from 16 KiB: 4.00 us". A time per byte is added: "2.00 us + 0.5 ns/B". Values of other
// forms are returned unchanged. Of a factor: "2; from 16 KiB: 4".
std::string by_size_text(const std::string& value, bool is_factor = false);

}  // namespace tutti::reports
