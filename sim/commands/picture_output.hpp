// SPDX-License-Identifier: BSD-3-Clause
// Output of figures, by the extension of the file: .svg, .png, .pdf, or .vg for the Vega
// specification.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/reports/plots/drawing.hpp"
#include "sim/reports/plots/plot_words.hpp"
#include "sim/studies/study_file.hpp"

namespace tutti::commands {

enum class Medium : unsigned char { svg, png, pdf };

struct PictureOutput {
  std::string path;
  std::optional<Medium> medium;  // none: the Vega specification
};

inline constexpr std::string_view picture_endings =
    ".svg, .png, .pdf, or .vg for the Vega specification";

// The output for the extension of `path`; unset for an unknown extension.
std::optional<PictureOutput> picture_output(const std::string& path);
// The file of one of several pictures: "map-bcast.svg" for "map.svg". `is_only`: `path` itself.
std::string picture_path(const std::string& path, const std::string& name, bool is_only);
// Checks and registers a picture for each name if there are several (named_files.hpp).
std::vector<Error> claim_pictures(const std::string& path, const std::vector<std::string>& names,
                                  const std::string& where);
// The same, with an error of kind usage for other extensions; `place`: the option as typed.
Result<PictureOutput> wanted_picture(const std::string& place, const std::string& path);
// The contents of the file; runs node, and rsvg-convert, unless the output is the specification.
Result<std::string> render_picture(const reports::Drawing& drawing,
                                   const std::vector<std::string>& provenance,
                                   const PictureOutput& output);

// Option of commands that print a report and can also draw it.
inline constexpr OptionSpec plot_option = written(job_option::output_row(
    "--plot", "FILE", "Draw the results to a file: .svg, .png, .pdf, or .vg (Vega specification)"));
// The output of --plot; unset if it is not given.
Result<std::optional<PictureOutput>> read_plot(const OptionValues& parsed);
// Draws and writes the picture if there is an output. Returns the exit code.
Result<int> write_plot(const std::function<reports::Drawing()>& drawing,
                       const reports::ReportHead& report,
                       const std::optional<PictureOutput>& output);
Result<int> write_plot(const reports::Drawing& drawing, const reports::ReportHead& report,
                       const PictureOutput& output);

// The plots that a study requests with [[report.plot]]. Errors are reported at their place in the
// study.
Result<std::vector<reports::PlotSpec>> wanted_plots(const studies::StudyFile& study);

// A report that is written to a file in addition to what is printed.

inline constexpr OptionSpec report_option = written(job_option::output_row(
    "--report", "FILE", "Also write the report to a file: .html, .csv, .json, .jsonl, .md, .txt"));

struct ReportOutput {
  std::string path;
  std::optional<reports::Format> format;  // none: an HTML page
};

// Format and files of the document of a command that writes another result, such as "the models",
// to --output. If that result goes to standard output, the document is not printed, and --format
// and --part are errors unless --report uses them.
struct ReportOutputs {
  DocumentOutput shown;
  std::optional<ReportOutput> file;

  bool has_page() const { return file && !file->format; }
};
// The last rows of a command's option table: the options of the report, and the options that every
// command has. `other_result` names in messages what else the command writes; empty: nothing.
options::OptionTable<ReportOutputs> report_options(std::vector<std::string> (*parts)(),
                                                   std::string_view other_result = {},
                                                   const OptionSpec& report = report_option);

// Writes only the file of --report, if given. Returns the exit code. `timelines`: of an HTML page.
Result<int> write_report_file(const reports::Document& document, const ReportOutputs& outputs,
                              std::vector<reports::TimelinePicture> timelines = {});

// Writes the file of --report, if given, and prints the document.
Result<int> write_reports(const reports::Document& document, const ReportOutputs& outputs,
                          std::vector<reports::TimelinePicture> timelines = {});

}  // namespace tutti::commands
