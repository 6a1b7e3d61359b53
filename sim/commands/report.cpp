// SPDX-License-Identifier: BSD-3-Clause
// sim report: results as one HTML page.
#include <algorithm>

#include "sim/base/error_list.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/commands/study_points.hpp"
#include "sim/commands/subcommand.hpp"
#include "sim/commands/wanted_plots.hpp"
#include "sim/reports/page/report_page.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view drawn = "What is drawn";
constexpr OptionSpec specs[] = {
    {drawn, "--x", "COLUMN", "the axis; default: message_bytes if it varies, else what does"},
    {drawn, "--y", "COLUMN", "the values; default: time_s"},
    {drawn, "--series", "COLUMNS", "a curve for each of their values; default: the algorithm"},
    {drawn, "--facet", "COLUMNS", "a panel for each of their values; default: what else varies"},
    {drawn, "--relative", "NAME", "divide by that series, or by the best at each x (best)"},
    {drawn, "--kind", "KIND", "lines, or winner: a map of the best series; default: both"},
    {drawn, "--log", "AXES", "axes of powers: x, y, xy or none; default: where it helps"},
    where_option,
    {option_group, "-o,--output", "FILE", "the page (required); - is standard output"},
    color_option,
    quiet_option,
    help_option};

// Those of the studies in the store.
Result<std::vector<reports::PlotSpec>> plots_of(const reports::ResultFile& file) {
  std::vector<reports::PlotSpec> all;
  for (const store::StoredStudy& stored : file.studies) {
    const auto study = studies::read_study(stored.toml, stored.name, study_options());
    if (!study) continue;  // of another version: what it wanted is not known
    auto plots = wanted_plots(*study);
    if (!plots) return plots.errors();
    std::ranges::move(*plots, std::back_inserter(all));
  }
  return all;
}

// Those of the command line, else those that the file asks for. None: the usual ones.
Result<std::vector<reports::PlotSpec>> plots_of(const Parsed& parsed,
                                                const reports::ResultFile& file) {
  const auto spec = plot_spec(parsed);
  if (!spec) return spec.errors();
  const bool asked = std::any_of(std::begin(specs), std::end(specs), [&](const OptionSpec& option) {
    return option.group == drawn && option.name() != where_option.name() &&
           parsed.has(option.name());
  });
  if (asked) return std::vector{*spec};
  return plots_of(file);
}

int run(const Parsed& parsed, Diagnostics& diagnostics) {
  const auto path = only_argument(parsed, "a store or a report");
  if (!path) return diagnostics.fail(path.errors());
  if (!parsed.has("--output"))
    return diagnostics.fail({usage_error("--output", "is needed", "-o report.html")});
  const std::string& output = parsed.value("--output");
  if (output != "-" && same_file(*path, output))
    return diagnostics.fail({usage_error(parsed.typed("--output"), "is the file of results itself",
                                         "give the page a file of its own")});
  if (output != "-")
    if (auto error = check_writable(output)) return diagnostics.fail({*error});
  if (const auto spec = plot_spec(parsed); !spec) return diagnostics.fail(spec.errors());
  const auto file = read_results(parsed, *path);
  if (!file) return diagnostics.fail(file.errors());
  const auto plots = plots_of(parsed, *file);
  if (!plots) return diagnostics.fail(plots.errors());
  const auto page = reports::report_page(*file, *plots);
  if (!page) return diagnostics.fail(as_typed(page.errors(), parsed));
  if (output == "-") return print(*page, diagnostics);
  const auto error = write_file(output, *page);
  return error ? diagnostics.fail({*error}) : exit_done;
}

}  // namespace

std::string report_help() {
  return R"(Usage: sim report FILE [OPTION]... -o PAGE.html

Writes one HTML page of a store of `sim sweep`, or of a CSV, JSON or JSONL
report: a map of the best, plots that tell values under the mouse and can be
zoomed, all points in a table that sorts, failed points with what they said,
what it cost, and where it comes from. The page carries all that it needs and
loads nothing from a network.
)" + options_help(specs);
}

int report_command(const Arguments& arguments, Diagnostics& diagnostics) {
  return run_simple(specs, report_help, run, arguments, diagnostics);
}

}  // namespace tutti::commands
