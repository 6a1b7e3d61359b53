// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/command/guidelines.hpp"

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/shapes.hpp"
#include "sim/guidelines/command/guidelines_request.hpp"
#include "sim/guidelines/measured.hpp"
#include "sim/guidelines/report/guidelines_picture.hpp"
#include "sim/guidelines/report/guidelines_report.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const guidelines_subcommands[] = {&guidelines_check, &guidelines_tune};

constexpr SubcommandGroup guidelines_group{
    .command = "guidelines",
    .help =
        "Is a collective slower than what can be built from others? Performance guidelines "
        "and mock-ups of PGMPITuneLib.",
    .subcommands = guidelines_subcommands};

}  // namespace

extern const Command guidelines_command{.name = "guidelines",
                                        .summary = "collectives beside their mock-ups",
                                        .group = &guidelines_group};

// sim guidelines check: each collective of an MPI library beside its mock-ups.

namespace {

using studies::guidelines::Setting;

constexpr auto guidelines_check_specs = joined(
    guidelines_option::of_job, guidelines_option::of_check,
    std::array{guidelines_option::violated, guidelines_option::replaceable},
    guidelines_option::of_measuring,
    std::array{
        guidelines_option::measured_files,
        guidelines_option::measured_profiles,
        jobs_option,
        job_option::output_row("--part", "NAME",
                               "one table alone: points (csv and jsonl have it otherwise), "
                               "guidelines, monotony, split, or a collective's"),
        job_option::output_row("--format", "FORMAT",
                               "text (default), csv, json, jsonl, md; repro: every repetition, as "
                               "ReproMPI prints it"),
        job_option::output_file,
        written(job_option::output_row(
            "--plot", "FILE",
            "a picture as well: .svg, .png, .pdf, .gp; of several collectives "
            "FILE-COLLECTIVE.svg")),
        job_option::color,
        job_option::quiet,
        job_option::help,
    });

constexpr std::string_view repro_format = "repro";

struct CheckOutput {
  DocumentOutput document;
  std::optional<PictureOutput> plot;
};

Result<CheckOutput> output_of(const OptionValues& parsed, const GuidelinesRequest& request) {
  const auto output =
      TUTTI_TRY(document_output(parsed, reports::guidelines_document_parts(), repro_format));
  const auto& collectives = request.wish.collectives;
  if (algorithms::find_collective(output.part) != nullptr &&
      std::ranges::find(collectives, output.part) == collectives.end())
    return usage_error(parsed.typed("--part"), fmt::format("{} is not checked", output.part),
                       "name it with --collective");
  if (output.is_own_format && !output.part.empty())
    return usage_error(parsed.typed("--part"), "has no effect: repro has no tables",
                       "leave it out");
  auto plot = TUTTI_TRY(plot_of(parsed));
  if (plot)
    if (auto errors = claim_pictures((plot)->path, collectives, parsed.typed("--plot"));
        !errors.empty())
      return errors;
  return CheckOutput{output, std::move(plot)};
}

std::optional<Error> draw_guidelines(const reports::GuidelinesReport& report,
                                     const PictureOutput& output) {
  const auto collectives = reports::collectives_compared(report);
  for (const auto& collective : collectives) {
    const auto picture = reports::guidelines_picture(report, collective);
    if (!picture) return picture.error();
    PictureOutput one = output;
    one.path = picture_path(output.path, collective, collectives.size() == 1);
    const auto text = picture_of(reports::draw(*picture), provenance_lines(report), one);
    if (!text) return text.error();
    if (auto error = write_file(one.path, *text)) return error;
  }
  return std::nullopt;
}

// The exit code of writing.
Result<int> write_guidelines(const reports::GuidelinesReport& report, const CheckOutput& output) {
  if (output.document.is_own_format) {
    const auto error = write_report(output.document.path, guidelines_repro(report));
    if (error) return *error;
  } else {
    TUTTI_TRY(write_document(reports::guidelines_document(report), output.document));
  }
  if (!output.plot) return exit_done;
  const auto error = draw_guidelines(report, *output.plot);
  if (error) return *error;
  return exit_done;
}

std::optional<Error> worth_replacing(const reports::GuidelinesReport& report) {
  using studies::guidelines::Comparison;
  const auto all = studies::guidelines::comparisons(report.settings, report.thresholds);
  const auto count = std::ranges::count_if(all, &Comparison::replaceable);
  if (count == 0) return std::nullopt;
  const auto worst = std::ranges::min_element(
      all, {}, [](const Comparison& each) { return each.replaceable ? each.relative : 1.0; });
  return make_error(
      ErrorKind::run, "",
      fmt::format("at {} of {} comparisons the collective is worth replacing", count, all.size()),
      fmt::format("the most: {} of {} by {}, {:.0f} % faster", worst->setting->collective,
                  format_bytes(worst->setting->message_bytes), worst->side->mockup->algorithm.name,
                  (1 - worst->relative) * 100));
}

Result<int> check_guidelines(const GuidelinesRequest& request, const CheckOutput& output,
                             const platforms::Machine& machine, std::vector<Setting> settings,
                             const Diagnostics& diagnostics) {
  studies::guidelines::Simulations simulations(request.wish.measuring);
  want(settings, simulations);
  const auto run = TUTTI_TRY(
      simulate_wanted(simulations, request.wish, machine, runner(request.jobs, diagnostics)));
  const auto& noise = request.wish.common.benchmark.noise;
  reports::GuidelinesReport report;
  begin_report(report, request, machine, run);
  report.selection = request.selection;
  report.element_bytes = request.wish.element_bytes;
  report.noise = noise.kind == runtime::Noise::Kind::none ? "" : workloads::format_noise(noise);
  report.measuring = request.wish.measuring;
  report.settlings = simulations.settlings();
  report.thresholds = request.thresholds;
  report.settings = std::move(settings);
  TUTTI_TRY(write_guidelines(report, output));
  if (run.code != exit_done) return run.code;
  const auto error = worth_replacing(report);
  if (error) return *error;
  return exit_done;
}

// Of what was measured; the files' names.
Result<std::vector<std::string>> write_measured_profiles(const reports::GuidelinesReport& report,
                                                         const std::string& folder) {
  studies::guidelines::Tuner tuner(report.thresholds, {});
  tuner.improve(report.settings);
  return write_profiles(tuner.profiles(report.settings), folder, [&](const auto&) {
    return std::vector{fmt::format("measured times of {}", fmt::join(report.measured, ", "))};
  });
}

Result<std::vector<studies::guidelines::MeasuredTable>> measured_tables(
    const std::vector<std::string>& files) {
  std::vector<studies::guidelines::MeasuredTable> tables;
  for (const auto& file : files) {
    auto read = TUTTI_TRY(reports::read_result_file(file));
    tables.push_back({file, std::move(read.table)});
  }
  return tables;
}

Result<int> check_measured(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(read_measured_guidelines(parsed, guidelines_check_specs));
  const auto output = TUTTI_TRY(output_of(parsed, request));
  reports::GuidelinesReport report;
  report.measured = words_of(parsed.value("--measured"));
  const auto tables = TUTTI_TRY(measured_tables(report.measured));
  auto measured = TUTTI_TRY(studies::guidelines::measured_settings(tables, request.wish));
  report.provenance = reports::plain_provenance(request.command);
  report.thresholds = request.thresholds;
  report.settings = std::move(measured.settings);
  report.left_out = std::move(measured.left_out);
  if (parsed.has("--profiles")) {
    const auto folder = TUTTI_TRY(empty_profiles_folder(parsed));
    const auto files = TUTTI_TRY(write_measured_profiles(report, folder));
    if (files.empty()) diagnostics.note("no profile is written: no collective is worth replacing");
  }
  TUTTI_TRY(write_guidelines(report, output));
  const auto error = worth_replacing(report);
  if (error) return *error;
  return exit_done;
}

Result<int> run_guidelines_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (parsed.has("--measured")) return check_measured(parsed, diagnostics);
  if (parsed.has("--profiles"))
    return usage_error("--profiles", "has no effect without --measured",
                       "sim guidelines tune -o FOLDER writes simulated ones");
  auto request = TUTTI_TRY(read_guidelines(parsed, guidelines_check_specs, "check"));
  const auto output = TUTTI_TRY(output_of(parsed, request));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  auto settings = checked_settings(request, machine);
  if (!settings) return parsed.placed(settings.errors());
  for (const auto& warning : request.warnings) diagnostics.warning(warning);
  return check_guidelines(request, output, machine, *std::move(settings), diagnostics);
}

}  // namespace

const Subcommand guidelines_check{
    .usage = "check",
    .summary = "each collective beside what can be built from others",
    .help =
        "Simulates the collectives as an MPI library runs them, and their mock-ups, which build "
        "them from other collectives of the same library (22 performance guidelines of "
        "PGMPITuneLib). Tells where a mock-up is faster, and where by enough to replace the "
        "collective. Exit code 1 if there is such a place. --measured checks a real library, by "
        "what "
        "ReproMPI measured of its collectives and of PGMPITuneLib's mock-ups.",
    .specs = guidelines_check_specs,
    .run = run_guidelines_check};

}  // namespace tutti::commands
