// SPDX-License-Identifier: BSD-3-Clause
// A picture by the ending of its file's name: .svg, .png, .pdf, or .gp: gnuplot's program.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/reports/plots/gnuplot.hpp"
#include "sim/reports/plots/plot_words.hpp"
#include "sim/studies/study_file.hpp"

namespace tutti::commands {

struct PictureOutput {
  std::string path;
  std::optional<reports::Medium> medium;  // none: the program
};

inline constexpr std::string_view picture_endings =
    ".svg, .png, .pdf, and .gp for gnuplot's program";

// Nothing for any other ending.
std::optional<PictureOutput> picture_output(const std::string& path);
// Of one of several pictures: "map.svg" is then "map-bcast.svg".
std::string picture_path(const std::string& path, const std::string& name, bool is_only);
// Claims a picture for each name, where there are several (named_files.hpp).
std::vector<Error> claim_pictures(const std::string& path, const std::vector<std::string>& names,
                                  const std::string& where);
// An error of kind usage for any other ending; `place`: the option as it was typed.
Result<PictureOutput> wanted_picture(const std::string& place, const std::string& path);
// Runs gnuplot, but for its program. `provenance`: comment lines of the program.
Result<std::string> picture_of(const reports::Drawing& drawing,
                               const std::vector<std::string>& provenance,
                               const PictureOutput& output);

// The option of commands that print a report and draw it, too.
inline constexpr OptionSpec plot_option = written(job_option::output_row(
    "--plot", "FILE", "draws it there: .svg, .png, .pdf, or .gp: gnuplot's program"));
// Nothing where it is not given.
Result<std::optional<PictureOutput>> plot_of(const OptionValues& parsed);
// Draws, where there is an output. Returns the exit code.
Result<int> write_plot(const std::function<reports::Drawing()>& drawing,
                       const reports::ReportHead& report,
                       const std::optional<PictureOutput>& output);
Result<int> write_plot(const reports::Drawing& drawing, const reports::ReportHead& report,
                       const PictureOutput& output);

// The plots that a study asks for: [[report.plot]].

// Errors stand in the study.
Result<std::vector<reports::PlotSpec>> wanted_plots(const studies::StudyFile& study);

// A report that goes to a file beside what is printed, by the ending of its name.

inline constexpr OptionSpec report_option = written(job_option::output_row(
    "--report", "FILE", "writes the report there, too: .html, .csv, .json, .jsonl, .md, .txt"));

struct ReportOutput {
  std::string path;
  std::optional<reports::Format> format;  // none: a page
};

// How the document is printed, and where it is written; `--output` is of something else. Where
// that, `beside` ("the models"), takes standard output without a file of its own, the document is
// not printed, and --format and --part are errors unless --report uses them.
struct ReportOutputs {
  DocumentOutput shown;
  std::optional<ReportOutput> file;

  bool has_page() const { return file && !file->format; }
};
// Its options and those of every command; they end the table of a command.
options::OptionTable<ReportOutputs> report_options(std::vector<std::string> (*parts)(),
                                                   std::string_view beside = {},
                                                   const OptionSpec& report = report_option);

// The file alone, if there is one. Returns the exit code of writing. `timelines`: of a page.
Result<int> write_report_file(const reports::Document& document, const ReportOutputs& outputs,
                              std::vector<reports::TimelinePicture> timelines = {});

// Also what is printed.
Result<int> write_reports(const reports::Document& document, const ReportOutputs& outputs,
                          std::vector<reports::TimelinePicture> timelines = {});

}  // namespace tutti::commands
