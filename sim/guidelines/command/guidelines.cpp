// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/guidelines/command/guidelines.help.hpp"
#include "sim/guidelines/command/guidelines_request.hpp"
#include "sim/guidelines/measured.hpp"
#include "sim/guidelines/report/reports.hpp"
#include "sim/jobs/accelerators.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/result_file.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const guidelines_subcommands[] = {&guidelines_check, &guidelines_tune};

}  // namespace

extern const Command guidelines_command{.name = "guidelines",
                                        .summary = "compare collectives with their mock-ups",
                                        .help = texts::guidelines["guidelines"],
                                        .subcommands = guidelines_subcommands};

// sim guidelines check: compares each collective of an MPI library with its mock-ups.

namespace {

using studies::guidelines::Setting;

constexpr std::string_view measured_group = "Measured times";

struct CheckRequest : GuidelinesRequest {
  std::vector<std::string> measured;    // ReproMPI files; empty: simulate
  std::optional<std::string> profiles;  // folder of the profiles from measured times
  DocumentOutput document;
  std::optional<PictureOutput> plot;
};

using CheckOptions = options::OptionTable<CheckRequest>;

void check_output(OptionReader& read, const CheckRequest& request) {
  const auto& collectives = request.spec.collectives;
  const auto& part = request.document.part;
  if (algorithms::find_collective(part) != nullptr &&
      std::ranges::find(collectives, part) == collectives.end())
    read.wrong("--part", fmt::format("{} is not checked", part), "add it to --collective");
  if (request.document.is_own_format && !part.empty())
    read.wrong("--part", "has no effect: repro has no tables", "omit --part");
  if (request.plot)
    read.add(claim_pictures(request.plot->path, collectives, read.values().typed("--plot")));
}

CheckOptions compared_options() {
  return CheckOptions({}) + guidelines_check_options() + check_only_options() +
         replaceable_option();
}

CheckOptions check_output_options() {
  return (CheckOptions{
              {written(job_option::output_row("--plot", "FILE", texts::guidelines["--plot"])),
               options::value_from(read_plot, &CheckRequest::plot)}} +
          document_options(
              {.parts = reports::guidelines_document_parts,
               .part = job_option::output_row("--part", "NAME", texts::guidelines["--part"]),
               .format = taking(
                   "text csv json jsonl md repro",
                   job_option::output_row("--format", "FORMAT", texts::guidelines["--format"]))})
              .of(&CheckRequest::document))
      .then(check_output);
}

CheckOptions measured_options() {
  return {{measured_group, "--measured", "FILES", texts::guidelines["--measured"],
           [](OptionReader& read, std::string_view option, CheckRequest& request) {
             request.measured = split_words(read.values().value(option), ',');
           }},
          {written({measured_group, "--profiles", "DIR", texts::guidelines["--profiles"]}),
           options::text(&CheckRequest::profiles)}};
}

const CheckOptions guidelines_check_table = CheckOptions({}) + guidelines_job_options() +
                                            compared_options() + guidelines_measuring_options() +
                                            measured_options() + guidelines_jobs_option() +
                                            check_output_options();

// Reads the options of a check of measured times, and rejects those of simulations.
Result<CheckRequest> read_measured(const OptionValues& parsed) {
  OptionReader read(parsed);
  CheckRequest request;
  read.reject_arguments();
  for (const auto& specs :
       {guidelines_job_options(), guidelines_measuring_options(), guidelines_jobs_option()})
    for (const auto& spec : specs.specs())
      read.reject({spec.name()}, "has no effect with --measured: nothing is simulated", "omit it");
  read.reject({"--message-size", "--element-bytes", "--chunk-size", "--selection"},
              "has no effect with --measured: nothing is simulated", "omit it");
  compared_options().read(read, request);
  measured_options().read(read, request);
  check_output_options().read(read, request);
  if (!read.errors().empty()) return read.errors().errors();
  request.command = "sim guidelines check" + reproducing_options(guidelines_check_table, parsed);
  return request;
}

Result<int> draw_guidelines(const reports::GuidelinesReport& report, const PictureOutput& output) {
  const auto collectives = reports::collectives_compared(report);
  for (const auto& collective : collectives) {
    const auto picture = TUTTI_TRY(reports::guidelines_picture(report, collective));
    PictureOutput file = output;
    file.path = picture_path(output.path, collective, collectives.size() == 1);
    const auto text =
        TUTTI_TRY(render_picture(reports::draw(picture), provenance_lines(report), file));
    if (auto error = write_file(file.path, text)) return *std::move(error);
  }
  return exit_done;
}

// Writes report and picture; returns the exit code.
Result<int> write_guidelines(const reports::GuidelinesReport& report, const CheckRequest& output) {
  if (output.document.is_own_format) {
    const auto error = write_report(output.document.path, guidelines_repro(report));
    if (error) return *error;
  } else {
    TUTTI_TRY(write_document(reports::guidelines_document(report), output.document));
  }
  return output.plot ? draw_guidelines(report, *output.plot) : exit_done;
}

// Fails if a collective is worth replacing.
Result<int> check_replaceable(const reports::GuidelinesReport& report) {
  using studies::guidelines::Comparison;
  const auto all = studies::guidelines::comparisons(report.settings, report.thresholds);
  const auto count = std::ranges::count_if(all, &Comparison::replaceable);
  if (count == 0) return exit_done;
  const auto worst = std::ranges::min_element(all, {}, [](const Comparison& comparison) {
    return comparison.replaceable ? comparison.relative : 1.0;
  });
  return make_error(
      ErrorKind::check, "",
      fmt::format("in {} of {} the collective is worth replacing", count,
                  counted(all.size(), "comparison")),
      fmt::format("the largest gain: {} of {} by {}, {:.0f} % faster", worst->setting->collective,
                  format_bytes(worst->setting->message_bytes), worst->side->mockup->algorithm.name,
                  (1 - worst->relative) * 100));
}

Result<int> check_guidelines(const CheckRequest& request, const platforms::Machine& machine,
                             std::vector<Setting> settings, const Diagnostics& diagnostics) {
  if (const auto warning = jobs::device_buffer_warning(machine, request.spec.message_bytes))
    diagnostics.warning(*warning);
  studies::guidelines::Simulations simulations(request.spec.measuring);
  want(settings, simulations);
  const auto run = TUTTI_TRY(
      simulate_wanted(simulations, request.spec, machine, runner(request.jobs, diagnostics)));
  const auto& noise = request.spec.common.benchmark.noise;
  reports::GuidelinesReport report;
  begin_report(report, request, machine, run);
  report.selection = request.selection;
  report.element_bytes = request.spec.element_bytes;
  report.noise = noise.kind == runtime::Noise::Kind::none ? "" : workloads::format_noise(noise);
  report.measuring = request.spec.measuring;
  report.settlings = simulations.settlings();
  report.thresholds = request.thresholds;
  report.settings = std::move(settings);
  TUTTI_TRY(write_guidelines(report, request));
  return run.code == exit_done ? check_replaceable(report) : run.code;
}

// Writes the profiles of the measured times; returns the names of the files.
Result<std::vector<std::string>> write_measured_profiles(const reports::GuidelinesReport& report,
                                                         const std::string& folder) {
  studies::guidelines::Tuner tuner(report.thresholds, {});
  tuner.improve(report.settings);
  return write_profiles(tuner.profiles(report.settings), folder, [&](const auto&) {
    return std::vector{fmt::format("measured times from {}", fmt::join(report.measured, ", "))};
  });
}

Result<std::vector<studies::guidelines::MeasuredTable>> measured_tables(
    const std::vector<std::string>& files, const Diagnostics& diagnostics) {
  std::vector<studies::guidelines::MeasuredTable> tables;
  for (const auto& file : files) {
    auto read = TUTTI_TRY(reports::read_result_file(file));
    print_remarks(read, diagnostics);
    tables.push_back({file, std::move(read.table)});
  }
  return tables;
}

Result<int> check_measured(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(read_measured(parsed));
  reports::GuidelinesReport report;
  report.measured = request.measured;
  const auto tables = TUTTI_TRY(measured_tables(report.measured, diagnostics));
  auto measured = TUTTI_TRY(studies::guidelines::measured_settings(tables, request.spec));
  report.provenance = reports::plain_provenance(request.command);
  report.thresholds = request.thresholds;
  report.settings = std::move(measured.settings);
  report.omitted = std::move(measured.omitted);
  if (request.profiles) {
    if (const auto error = make_profiles_folder(*request.profiles, parsed)) return *error;
    const auto files = TUTTI_TRY(write_measured_profiles(report, *request.profiles));
    if (files.empty()) diagnostics.note("no profile is written: no collective is worth replacing");
  }
  TUTTI_TRY(write_guidelines(report, request));
  return check_replaceable(report);
}

Result<int> run_guidelines_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (parsed.has("--measured")) return check_measured(parsed, diagnostics);
  if (parsed.has("--profiles"))
    return usage_error("--profiles", "has no effect without --measured",
                       "`sim guidelines tune -o FOLDER` writes profiles from simulations");
  auto request = TUTTI_TRY(read_request(parsed, guidelines_check_table, "guidelines check"));
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  auto settings = checked_settings(request, machine);
  if (!settings) return parsed.placed(settings.errors());
  for (const auto& warning : request.warnings) diagnostics.warning(warning);
  return check_guidelines(request, machine, *std::move(settings), diagnostics);
}

}  // namespace

const Subcommand guidelines_check{.usage = "check",
                                  .summary = "find collectives that are slower than mock-ups",
                                  .help = texts::guidelines["check"],
                                  .specs = guidelines_check_table,
                                  .run = run_guidelines_check};

}  // namespace tutti::commands
