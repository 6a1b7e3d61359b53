// SPDX-License-Identifier: BSD-3-Clause
// A report that goes to a file beside what is printed, by the ending of its name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/commands/document_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/reports/page/report_page.hpp"

namespace tutti::commands {

inline constexpr OptionSpec report_option = written(job_option::output_row(
    "--report", "FILE", "writes the report there, too: .html, .csv, .json, .jsonl, .md, .txt"));

struct ReportOutput {
  std::string path;
  std::optional<reports::Format> format;  // none: a page
};

// Nothing where it is not given. Errors: other endings.
Result<std::optional<ReportOutput>> report_of(const OptionValues& parsed);

// How the document is printed, and where it is written; `--output` is of something else. Where
// that, `beside` ("the models"), takes standard output without a file of its own, the document is
// not printed, and --format and --part are errors unless --report uses them.
struct ReportOutputs {
  DocumentOutput shown;
  std::optional<ReportOutput> file;

  bool has_page() const { return file && !file->format; }
};
Result<ReportOutputs> report_outputs(const OptionValues& parsed,
                                     const std::vector<std::string>& parts,
                                     std::string_view beside = {});

// The file alone, if there is one. Returns the exit code of writing. `timelines`: of a page.
Result<int> write_report_file(const reports::Document& document, const ReportOutputs& outputs,
                              std::vector<reports::TimelinePicture> timelines = {});

// Also what is printed.
Result<int> write_reports(const reports::Document& document, const ReportOutputs& outputs,
                          std::vector<reports::TimelinePicture> timelines = {});

}  // namespace tutti::commands
