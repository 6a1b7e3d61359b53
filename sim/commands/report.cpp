// SPDX-License-Identifier: BSD-3-Clause
// sim report: results as one HTML page.

#include "sim/base/common.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/commands/shapes.hpp"
#include "sim/commands/subcommand.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/studies/study_points.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view reported_group = "What is drawn";
constexpr OptionSpec report_specs[] = {
    {reported_group, "--x", "COLUMN",
     "the axis; default: message_bytes if it varies, else what does"},
    {reported_group, "--y", "COLUMN", "the values; default: time_s"},
    {reported_group, "--series", "COLUMNS",
     "a curve for each of their values; default: the algorithm"},
    {reported_group, "--facet", "COLUMNS",
     "a panel for each of their values; default: what else varies"},
    {reported_group, "--relative", "NAME",
     "divide by that series, or by the best at each x (best)"},
    {reported_group, "--kind", "KIND", "lines, or winner: a map of the best series; default: both"},
    {reported_group, "--log", "AXES", "axes of powers: x, y, xy or none; default: where it helps"},
    where_option,
    written({option_group, "-o,--output", "FILE", "the page (required); - is standard output"}),
    color_option,
    quiet_option,
    help_option};

// Those of the studies in the store.
Result<std::vector<reports::PlotSpec>> plots_of(const reports::ResultFile& file) {
  std::vector<reports::PlotSpec> all;
  for (const store::StoredStudy& stored : file.studies) {
    const auto study = studies::read_study(stored.toml, stored.name, studies::study_options());
    if (!study) continue;  // of another version: what it wanted is not known
    auto plots = TUTTI_TRY(wanted_plots(*study));
    std::ranges::move(plots, std::back_inserter(all));
  }
  return all;
}

// Those of the command line, else those that the file asks for. None: the usual ones.
Result<std::vector<reports::PlotSpec>> plots_of(const OptionValues& parsed,
                                                const reports::ResultFile& file) {
  const auto spec = TUTTI_TRY(plot_spec(parsed));
  if (asks_for_plot(parsed)) return std::vector{spec};
  return plots_of(file);
}

Result<reports::ReportPart> report_part(const OptionValues& parsed, const std::string& path) {
  auto file = TUTTI_TRY(read_results(parsed, path));
  auto plots = TUTTI_TRY(plots_of(parsed, file));
  return reports::ReportPart{std::move(file), std::move(plots)};
}

// Before anything is read.
std::vector<Error> wrong_usage(const OptionValues& parsed) {
  if (parsed.arguments.empty()) return {usage_error("", "a store or a report is needed")};
  if (!parsed.has("--output")) return {usage_error("--output", "is needed", "-o report.html")};
  if (const auto spec = plot_spec(parsed); !spec) return spec.errors();
  return {};
}

Result<int> run_report(const OptionValues& parsed, Diagnostics&) {
  if (const auto errors = wrong_usage(parsed); !errors.empty()) return errors;
  std::vector<reports::ReportPart> parts;
  for (const auto& path : parsed.arguments) {
    auto part = TUTTI_TRY(report_part(parsed, path));
    parts.push_back(std::move(part));
  }
  const auto page = reports::report_page(parts);
  if (!page) return parsed.placed(page.errors());
  return write_result(parsed, *page);
}

}  // namespace

std::string report_help() {
  return R"(Usage: sim report FILE... [OPTION]... -o PAGE.html

Writes one HTML page of stores of `sim sweep`, or of CSV, JSON or JSONL
reports, those of `sim validate` with all their tables: a map of the best, plots
that tell values under the mouse and can be zoomed, all points in a table that
sorts, failed points with what they said, what it cost, and where it comes from.
Several files are parts of one page. The page carries all that it needs and
loads nothing from a network.
)" + options_help(report_specs);
}

Result<int> run_report_command(const Arguments& arguments, Diagnostics& diagnostics) {
  return run_simple(report_specs, report_help, run_report, arguments, diagnostics);
}

extern const Command report_command{
    .name = "report",
    .summary = "write results as an HTML page",
    .specs = [] { return std::span<const OptionSpec>(report_specs); },
    .help = report_help,
    .run = run_report_command};

}  // namespace tutti::commands
