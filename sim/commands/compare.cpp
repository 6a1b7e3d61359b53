// SPDX-License-Identifier: BSD-3-Clause
// sim compare: compares two files of results point by point.

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/compare.help.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/reports/compare/comparison.hpp"

namespace tutti::commands {
namespace {

using reports::Comparison;
using reports::Format;

constexpr options::OptionGroup compared{option_group, texts::compare.all};
constexpr OptionSpec compare_specs[] = {
    compared("--key", "COLUMNS"),
    compared("--y", "COLUMN"),
    compared("--fail-above", "PERCENT"),
    {option_group, where_option.names, where_option.value,
     "Compare only points of both files that satisfy this condition: 'procs <= 1024'"
     "\nCompare only points of both files that satisfy this condition on columns, for example "
     "`'procs <= 1024 and algorithm == \"ring\"'`."},
    compared("--only-changed", ""),
    compared("--tolerance", "PERCENT"),
    compared("--sort", "COLUMN"),
    document_format,
    job_option::output_file,
    job_option::provenance,
    job_option::color,
    job_option::quiet,
    job_option::help};

// An error if points of B are more than the fraction `limit` above A, or have no value.
std::optional<Error> find_slower_points(const Comparison& comparison, double limit) {
  const reports::ComparedPoint* worst = nullptr;
  std::size_t count = 0;
  for (const auto& point : comparison.points) {
    if (point.ratio <= 1 + limit) continue;
    ++count;
    if (worst == nullptr || point.ratio > worst->ratio) worst = &point;
  }
  std::string message;
  if (worst != nullptr)
    message = fmt::format(
        "{} of {} points are more than {:.4g} % above A; the worst is {:.3g} times A{}{}", count,
        comparison.points.size(), limit * 100, worst->ratio, worst->key.empty() ? "" : " at ",
        place_of(comparison, worst->key));
  const auto add = [&](std::size_t points, std::string_view what) {
    if (points > 0) message += fmt::format("{}{} {}", message.empty() ? "" : "; ", points, what);
  };
  add(static_cast<std::size_t>(std::ranges::count_if(
          comparison.no_ratio, [](const auto& point) { return point.b > point.a; })),
      "points without a ratio are above A");
  add(comparison.lost.size() + comparison.only_a.size(), "points of A have no value in B");
  if (message.empty()) return std::nullopt;
  return make_error(ErrorKind::check, "", message);
}

Result<Comparison> compare_files(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (parsed.arguments.size() != 2)
    return usage_error("", "expected two files",
                       "use sim compare A B, with stores, reports, or output of benchmarks");
  const auto a = read_results(parsed, parsed.arguments[0], diagnostics);
  const auto b = read_results(parsed, parsed.arguments[1], diagnostics);
  if (!a) return a.errors();
  if (!b) return b.errors();
  reports::CompareRequest request;
  if (parsed.has("--key")) request.key = split_items(parsed.value("--key"));
  if (parsed.has("--y")) request.y = parsed.value("--y");
  return reports::compare(reports::with_medians(*a), reports::with_medians(*b), request);
}

Result<reports::CompareView> read_view(const OptionValues& parsed) {
  reports::CompareView view{.only_changed = parsed.has("--only-changed")};
  if (const auto tolerance = TUTTI_TRY(read_fraction(parsed, "--tolerance"))) {
    if (!view.only_changed)
      return usage_error("--tolerance", "has no effect without --only-changed",
                         "add --only-changed");
    view.tolerance = *tolerance;
  }
  if (parsed.has("--sort")) view.sort = parsed.value("--sort");
  return view;
}

std::string render(const Comparison& comparison, Format format) {
  if (format == Format::csv) return comparison_csv(comparison);
  if (format == Format::json) return comparison_json(comparison);
  if (format == Format::jsonl) return comparison_jsonl(comparison);
  if (format == Format::md) return comparison_markdown(comparison);
  return comparison_text(comparison);
}

std::optional<Error> write(const Comparison& comparison, const DocumentOutput& output,
                           const OptionValues& parsed) {
  std::string command = "sim compare";
  for (const auto& file : parsed.arguments) command += ' ' + shell_quoted(file);
  const reports::ReportHead head{
      .provenance = reports::plain_provenance(command + reproducing_options(compare_specs, parsed)),
      .failed = {}};
  return write_report(output, head, render(comparison, output.format), head_lines(comparison));
}

Result<int> run_compare(const OptionValues& parsed, const Diagnostics& diagnostics) {
  DocumentOutput output{.path = output_path(parsed)};
  output.format = *reports::format_of(TUTTI_TRY(chosen_format(parsed, document_format)));
  output.provenance = TUTTI_TRY(read_csv_provenance(parsed));
  const auto limit = TUTTI_TRY(read_fraction(parsed, "--fail-above"));
  const auto view = TUTTI_TRY(read_view(parsed));
  auto comparison = TUTTI_TRY(compare_files(parsed, diagnostics));
  if (auto error = arrange(comparison, view)) return *std::move(error);
  if (auto error = write(comparison, output, parsed)) return *std::move(error);
  if (output.format != Format::text && output.format != Format::md)
    for (const auto& line : omitted_lines(comparison)) diagnostics.warning(line);
  return done_unless(limit ? find_slower_points(comparison, *limit) : std::nullopt);
}

const Subcommand compare_alone{.usage = "compare A B",
                               .help = texts::compare["compare"],
                               .specs = compare_specs,
                               .run = run_compare};

}  // namespace

extern const Command compare_command{
    .name = "compare", .summary = "compare two result files", .alone = &compare_alone};

}  // namespace tutti::commands
