// SPDX-License-Identifier: BSD-3-Clause
// sim plot: plots results.

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/page.help.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/plot.help.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/reports/plots/plot_choice.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/studies/study_points.hpp"

namespace tutti::commands {
namespace {

using reports::Drawing;

// The options of `sim plot` and `sim report` that describe plots, with the texts of the command.
consteval auto drawn_options(const options::OptionGroup& drawn) {
  return std::array{drawn("--x", "COLUMN"),
                    drawn("--y", "COLUMN"),
                    drawn("--series", "COLUMNS"),
                    drawn("--facet", "COLUMNS"),
                    drawn("--facet-rows", "COLUMNS"),
                    taking("best", drawn("--relative", "NAME")),
                    taking("lines winner fit", drawn("--kind", "KIND")),
                    taking("x y xy none", drawn("--log", "AXES")),
                    where_option};
}

constexpr auto plot_specs = joined(
    drawn_options({"What is drawn", texts::plot.all}),
    std::array{written({option_group, "-o,--output", "FILE",
                        "Write the figure to this file (required): .svg, .png, .pdf, or .vg (Vega "
                        "specification)"}),
               color_option, quiet_option, help_option});

Result<PictureOutput> read_output(const OptionValues& parsed) {
  if (!parsed.has("--output"))
    return usage_error("--output", "is required", "for example -o fig.svg; also .png, .pdf or .vg");
  return wanted_picture(parsed.typed("--output"), parsed.value("--output"));
}

Result<Drawing> draw_plot(const reports::PlotSpec& spec, const reports::ResultFile& file) {
  const auto request = TUTTI_TRY(reports::request_in(file.table, spec));
  const auto grid = TUTTI_TRY(reports::grid_of(file, request));
  const std::string& name = spec.title.empty() ? file.study : spec.title;
  if (spec.winner) {
    const auto picture = TUTTI_TRY(reports::winner_picture(grid, name));
    return reports::draw(picture);
  }
  const auto picture = TUTTI_TRY(reports::lines_picture(grid, name, spec.log));
  return reports::draw(picture);
}

// Errors of a plot that the file itself requests.
std::vector<Error> errors_in(const std::string& path, std::vector<Error> errors) {
  for (Error& error : errors) error.place = path;
  return errors;
}

// Reports consist of sentences and tables; not all of them have points to draw.
std::optional<Error> no_plot(const reports::ResultFile& file) {
  const bool is_report = !file.about.empty() || !file.tables.empty();
  if (!file.plots.empty() || reports::find_column(file.table, "time_s")) return std::nullopt;
  if (is_report)
    return usage_error(file.path, "this report has no plot",
                       "`sim report` shows its tables; --y COLUMN draws a column of its points");
  return usage_error(
      file.path, "no column 'time_s' to draw",
      fmt::format("select another with --y: {}", fmt::join(file.table.columns, ", ")));
}

// The plot of the command line, else the one that the file suggests.
Result<reports::PlotSpec> spec_for(const OptionValues& parsed, const reports::ResultFile& file,
                                   const Diagnostics& diagnostics) {
  if (asks_for_plot(parsed) || file.plots.empty()) {
    auto spec = TUTTI_TRY(plot_spec(parsed));
    if (spec.is_fit) spec.title = reports::title_of_fit(file);
    return spec;
  }
  const auto choice = reports::choose_plot(file);
  if (!choice.others.empty()) {
    constexpr std::size_t most_named = 3;
    const auto named = std::min(choice.others.size(), most_named);
    const auto last = choice.others.begin() + static_cast<std::ptrdiff_t>(named);
    diagnostics.warning(fmt::format("{} has {}; select with {}{}", file.path,
                                    counted(choice.others.size(), "more plot"),
                                    fmt::join(choice.others.begin(), last, ", or "),
                                    named < choice.others.size() ? ", ..." : ""));
  }
  return reports::plot_spec(choice.words);
}

Result<int> run_plot(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto path = only_argument(parsed, "a store or a report");
  const auto output = read_output(parsed);
  if (!path) return path.errors();
  if (!output) return output.errors();
  if (const auto asked = plot_spec(parsed); !asked) return asked.errors();
  const auto file = TUTTI_TRY(read_results(parsed, *path, diagnostics));
  const bool is_spec = !asks_for_plot(parsed) && !file.plots.empty();
  if (!asks_for_plot(parsed))
    if (const auto error = no_plot(file)) return *error;
  const auto spec = spec_for(parsed, file, diagnostics);
  if (!spec) return errors_in(*path, spec.errors());
  const auto drawing = draw_plot(*spec, file);
  if (!drawing)
    return is_spec ? errors_in(*path, drawing.errors()) : parsed.placed(drawing.errors());
  const auto picture = TUTTI_TRY(render_picture(*drawing, file.provenance, *output));
  return done_unless(write_file(output->path, picture));
}

const Subcommand plot_alone{.usage = "plot FILE -o PICTURE",
                            .help = texts::plot["plot"],
                            .specs = plot_specs,
                            .run = run_plot};

// sim report: writes results as one HTML page.

constexpr auto report_specs =
    joined(drawn_options({"What is drawn", texts::page.all}),
           std::array{written({option_group, "-o,--output", "FILE",
                               "Write the page to this file (required); - is standard output"}),
                      color_option, quiet_option, help_option});

// The plots that the studies in the store request.
Result<std::vector<reports::PlotSpec>> requested_plots(const reports::ResultFile& file) {
  std::vector<reports::PlotSpec> all;
  for (const store::StoredStudy& stored : file.studies) {
    const auto study = studies::read_study(stored.toml, stored.name, studies::study_options());
    if (!study) continue;  // of another version: its plots are unknown
    auto plots = TUTTI_TRY(wanted_plots(*study));
    std::ranges::move(plots, std::back_inserter(all));
  }
  return all;
}

// The plot of the command line, else those that the file requests. Empty: the default plots.
Result<std::vector<reports::PlotSpec>> requested_plots(const OptionValues& parsed,
                                                       const reports::ResultFile& file) {
  auto spec = TUTTI_TRY(plot_spec(parsed));
  if (spec.is_fit) spec.title = reports::title_of_fit(file);
  if (asks_for_plot(parsed)) return std::vector{spec};
  return requested_plots(file);
}

Result<reports::ReportPart> report_part(const OptionValues& parsed, const std::string& path,
                                        const Diagnostics& diagnostics) {
  auto file = TUTTI_TRY(read_results(parsed, path, diagnostics));
  auto plots = TUTTI_TRY(requested_plots(parsed, file));
  return reports::ReportPart{std::move(file), std::move(plots)};
}

// Errors that are reported before any file is read.
std::vector<Error> wrong_usage(const OptionValues& parsed) {
  if (parsed.arguments.empty())
    return {usage_error("", "expected a store or a report", "sim report results.db -o page.html")};
  if (!parsed.has("--output"))
    return {usage_error("--output", "is required", "for example -o report.html")};
  if (const auto spec = plot_spec(parsed); !spec) return spec.errors();
  return {};
}

Result<int> run_report(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (const auto errors = wrong_usage(parsed); !errors.empty()) return errors;
  std::vector<reports::ReportPart> parts;
  for (const auto& path : parsed.arguments) {
    auto part = TUTTI_TRY(report_part(parsed, path, diagnostics));
    parts.push_back(std::move(part));
  }
  const auto page = reports::report_page(parts);
  if (!page) return parsed.placed(page.errors());
  return write_result(parsed, *page);
}

const Subcommand report_alone{.usage = "report FILE... -o PAGE.html",
                              .help = texts::page["report"],
                              .specs = report_specs,
                              .run = run_report};

}  // namespace

extern const Command plot_command{.name = "plot", .summary = "plot results", .alone = &plot_alone};

extern const Command report_command{
    .name = "report", .summary = "write results as an HTML page", .alone = &report_alone};

}  // namespace tutti::commands
