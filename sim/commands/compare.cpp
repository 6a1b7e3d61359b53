// SPDX-License-Identifier: BSD-3-Clause
// sim compare: compares two files of results point by point.

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/reports/compare/comparison.hpp"

namespace tutti::commands {
namespace {

using reports::Comparison;

constexpr OptionSpec compare_specs[] = {
    {option_group, "--key", "COLUMNS",
     "Columns to match points by, separated by commas; default: all parameters in both files"},
    {option_group, "--y", "COLUMN",
     "Column to compare; default: time_s, else time_mean_s, if both files have it"
     "\nColumn to compare; default: the first of `time_s`, `time_mean_s` and `time_min_s` that "
     "both files have."},
    {option_group, "--fail-above", "PERCENT",
     "Exit with 1 if a point of B takes that much longer than in A (for example 5%) or has no value"
     "\nExit with 1 if a point of B is above A by more than this fraction (B/A - 1 > 5 %), is "
     "above 0 where A is 0, or has no value where A has one. A faster point is not a failure."},
    taking("text csv json",
           {option_group, "--format", "FORMAT", "Format: text (default), csv or json"}),
    color_option,
    quiet_option,
    help_option};

std::optional<Error> slower_ones(const Comparison& comparison, double limit) {
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

Result<Comparison> comparison_of(const OptionValues& parsed) {
  if (parsed.arguments.size() != 2)
    return usage_error("", "expected two files",
                       "sim compare A B: stores, reports, output of OSU's or Intel's benchmarks");
  const auto a = reports::read_result_file(parsed.arguments[0]);
  const auto b = reports::read_result_file(parsed.arguments[1]);
  if (!a) return a.errors();
  if (!b) return b.errors();
  reports::CompareRequest request;
  if (parsed.has("--key")) request.key = list_of(parsed.value("--key"));
  if (parsed.has("--y")) request.y = parsed.value("--y");
  return reports::compare(reports::with_medians(*a), reports::with_medians(*b), request);
}

Result<int> run_compare(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto format = choice_of(parsed, "--format", {"text", "csv", "json"});
  const auto limit = part_of(parsed, "--fail-above");
  if (!format) return format.errors();
  if (!limit) return limit.errors();
  const auto comparison = TUTTI_TRY(comparison_of(parsed));
  TUTTI_TRY(print(*format == "csv"    ? comparison_csv(comparison)
                  : *format == "json" ? comparison_json(comparison)
                                      : comparison_text(comparison)));
  if (*format != "text")
    for (const auto& line : omitted_lines(comparison)) diagnostics.warning(line);
  if (!*limit) return exit_done;
  const auto slower = slower_ones(comparison, **limit);
  if (slower) return *slower;
  return exit_done;
}

const Subcommand compare_alone{
    .usage = "compare A B",
    .help =
        "Matches the points of two files and prints the ratios B/A. Each file is a store of `sim "
        "sweep`, a CSV, JSON or JSONL report, or the output of a collective of the OSU or the "
        "Intel MPI Benchmarks, of ReproMPI or of `sim guidelines check --format repro` (of "
        "repetitions: the median over the runs of their medians). Points match if they agree in "
        "all parameters that both files have; a parameter that has a single value in A and another "
        "one in B is what is compared. OSU's average is time_mean_s, its maximum (-f) time_s.",
    .specs = compare_specs,
    .run = run_compare};

}  // namespace

extern const Command compare_command{
    .name = "compare", .summary = "compare two result files", .alone = &compare_alone};

}  // namespace tutti::commands
