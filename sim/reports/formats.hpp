// SPDX-License-Identifier: BSD-3-Clause
// The renderers, one file each, and what they share.
#pragma once

#include <string>
#include <vector>

#include "sim/reports/report.hpp"

namespace tutti::reports {

// `width` in columns, if a terminal limits it.
std::string render_text(const Report& report, std::optional<std::size_t> width);
std::string render_csv(const Report& report);
std::string render_json(const Report& report);
std::string render_jsonl(const Report& report);
// OSU's two columns: size and the average latency. Records must be timed.
std::string render_osu(const Report& report);
std::string render_markdown(const Report& report);

// Provenance as sentences of one line, without a comment sign: versions, command, platform, failed
// points (the first 20 of them; JSON names all).
std::vector<std::string> provenance_lines(const ReportHead& report);
// The same, each line behind a "# ".
std::string comments(const ReportHead& report);
// "bcast" -> "MPI_Bcast".
std::string mpi_name(std::string_view collective);
// What follows "engine flow" where messages do not share all links, else nothing.
std::string contention_words(std::string_view contention);
// "1 process", "576 processes".
std::string processes(std::int64_t count);
// "48 per node"; "at most 48 per node" where some node in use has fewer.
std::string per_node(const studies::Record& record);

}  // namespace tutti::reports
