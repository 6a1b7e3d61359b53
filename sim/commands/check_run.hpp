// SPDX-License-Identifier: BSD-3-Clause
// What checks of many simulations share (`sim validate models`, `improvement`, ...): they run them
// in children, several at a time, tell how far they are, and write a document.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/job_specs.hpp"
#include "sim/commands/options.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/studies/study_point.hpp"

namespace tutti::commands {

inline constexpr OptionSpec jobs_option{job_option::output,
                                        "-j,--jobs",
                                        "N",
                                        "simulations at a time; default: as many as cores",
                                        false,
                                        false};
// A number from 1 on; unset: as many as there are cores.
Result<int> jobs_of(const Parsed& parsed);

struct CheckRun {
  std::vector<std::optional<Row>> answers;  // by point; none: it failed, or was not run
  std::vector<std::string> failed;          // "bcast binomial, ...: why"
  std::size_t not_run = 0;                  // after Ctrl-C
  int code = 0;                             // exit code, as far as the run itself goes
};

// Only name, simulate and memory_bytes of the points are looked at.
CheckRun run_check(const std::vector<studies::StudyPoint>& points, int jobs,
                   const Diagnostics& diagnostics);

// A point that gives one time and nothing else; and the time in its answer.
studies::StudyPoint timed_point(std::string name, std::function<Result<Seconds>()> time_of);
Seconds time_in(const Row& answer);

// The options by which documents are written.
inline constexpr OptionSpec part_option = job_option::output_row(
    "--part", "NAME", "one table of the report alone; CSV has the first one otherwise");
inline constexpr OptionSpec document_format =
    job_option::output_row("--format", "FORMAT", "text (default), csv, json, jsonl, md");

// How and where a document goes.
struct DocumentOutput {
  reports::Format format = reports::Format::text;
  std::string part;
  std::optional<std::string> path;  // unset: standard output
  bool is_own_format = false;       // then `format` says nothing
};
// `parts`: the names that --part may have; `own_format`: that --format may have, too. Errors:
// unknown ones.
Result<DocumentOutput> document_output(const Parsed& parsed, const std::vector<std::string>& parts,
                                       std::string_view own_format = {});
// Returns the exit code of writing.
Result<int> write_document(const reports::Document& document, const DocumentOutput& output);

}  // namespace tutti::commands
