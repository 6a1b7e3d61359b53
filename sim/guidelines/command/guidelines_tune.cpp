// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines tune: performance profiles of PGMPITuneLib, and what they bring.

#include "sim/base/common.hpp"
#include "sim/guidelines/command/guidelines.hpp"
#include "sim/guidelines/command/guidelines_request.hpp"
#include "sim/guidelines/report/guidelines_tune_report.hpp"

namespace tutti::commands {
namespace {

using studies::guidelines::Setting;

constexpr auto guidelines_tune_specs = joined(
    guidelines_option::of_job, guidelines_option::of_check,
    std::array{
        guidelines_option::replaceable,
        OptionSpec{guidelines_option::checked, "--message-buffer", "SIZE",
                   "of the library, in each process; default: 100000000 B"},
        OptionSpec{guidelines_option::checked, "--int-buffer", "SIZE",
                   "the same for count vectors; default: 200000 B"},
        OptionSpec{guidelines_option::parameters, "--segment-size", "SIZES",
                   "of Open MPI's algorithms; default: 0,1KiB,8KiB,64KiB; 0: not segmented"
                   "\nOf these algorithms; default: 0,1KiB,8KiB,64KiB (0: not segmented), and "
                   "2,4,8 chains."},
        OptionSpec{guidelines_option::parameters, "--fanout", "N", "of chains; default: 2,4,8"},
    },
    guidelines_option::of_measuring,
    std::array{
        written({job_option::output, "-o,--profiles", "DIR",
                 "where the profiles go; without .prf files yet"
                 "\nThe folder of the profiles, without .prf files yet."}),
        jobs_option,
        job_option::output_row("--part", "NAME", "one table alone: points or left-out"),
        document_format,
        job_option::color,
        job_option::quiet,
        job_option::help,
    });

// Of an option that takes a list.
Result<std::vector<std::int64_t>> axis_values(const OptionValues& parsed, std::string_view name,
                                              const options::AxisKind& kind,
                                              std::vector<std::int64_t> otherwise) {
  if (!parsed.has(name)) return otherwise;
  auto values = options::parse_axis(parsed.value(name), kind);
  if (values) return values;
  auto errors = values.errors();
  for (Error& error : errors) error.place = parsed.typed(name);
  return errors;
}

// Of an option that takes one size.
Result<Bytes> size_of(const OptionValues& parsed, std::string_view name, Bytes otherwise) {
  const auto values = axis_values(parsed, name, bytes_axis, {otherwise});
  if (values && values->size() == 1) return values->front();
  return usage_error(parsed.typed(name), "takes one number of bytes", std::string(units_hint));
}

Result<studies::select::CandidateWish> parameters_of(const OptionValues& parsed) {
  auto segments =
      axis_values(parsed, "--segment-size", bytes_axis, {0, 1 << 10, 8 << 10, 64 << 10});
  if (!segments) return segments.errors();
  auto fanouts = TUTTI_TRY(axis_values(parsed, "--fanout", fanout_axis, {2, 4, 8}));
  return studies::select::CandidateWish{
      .segment_bytes = *std::move(segments), .fanouts = std::move(fanouts), .max_requests = {}};
}

// What is left out for memory is said in the profile too.
std::vector<std::string> notes_of(const studies::guidelines::Profile& profile,
                                  const reports::GuidelinesTuneReport& report) {
  std::vector<std::string> notes{fmt::format("simulated by Tutti on {}, algorithms by {}",
                                             report.provenance.platform_name, report.selection)};
  for (const auto& each : report.left_out) {
    const Setting& setting = report.settings[each.setting];
    if (setting.collective == profile.collective && setting.procs == profile.procs)
      notes.push_back(fmt::format("left out at {} B: {}: {}", setting.message_bytes,
                                  each.mockup->algorithm.name, each.why));
  }
  return notes;
}

Result<int> tune(const GuidelinesRequest& request, const std::string& folder,
                 const DocumentOutput& output, const platforms::Machine& machine,
                 studies::guidelines::TuningFound found, const Diagnostics& diagnostics) {
  reports::GuidelinesTuneReport report;
  static_cast<studies::guidelines::TuningFound&>(report) = std::move(found);
  begin_report(report, request, machine, report.last_run);
  report.selection = request.selection;
  report.runs = request.wish.measuring.runs;
  report.thresholds = request.thresholds;
  if (report.last_run.code != exit_done) {
    for (const auto& failed : report.last_run.failed)
      diagnostics.error(make_error(ErrorKind::run, "", failed, {}));
    return report.last_run.code;
  }
  report.files = TUTTI_TRY(write_profiles(
      report.profiles, folder, [&](const auto& profile) { return notes_of(profile, report); }));
  TUTTI_TRY(write_document(reports::guidelines_tune_document(report), output));
  if (report.remaining.empty()) return exit_done;
  return make_error(ErrorKind::run, "",
                    counted(report.remaining.size(), "call") +
                        " would still be worth replacing with the profiles",
                    fmt::format("the first: {}; threshold {:.4g} %", report.remaining.front(),
                                request.thresholds.replaceable * 100));
}

Result<int> run_guidelines_tune(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(read_guidelines(parsed, guidelines_tune_specs, "tune"));
  const auto output = TUTTI_TRY(document_output(parsed, reports::guidelines_tune_document_parts()));
  studies::guidelines::BufferLimits limits;
  limits = {.message_bytes = TUTTI_TRY(size_of(parsed, "--message-buffer", limits.message_bytes)),
            .int_bytes = TUTTI_TRY(size_of(parsed, "--int-buffer", limits.int_bytes))};
  const auto parameters = TUTTI_TRY(parameters_of(parsed));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  auto settings = checked_settings(request, machine);
  if (!settings) return parsed.placed(settings.errors());
  if (!parsed.has("--profiles"))
    return usage_error("-o", "is required", "the folder that the profiles go to");
  const auto folder = TUTTI_TRY(empty_profiles_folder(parsed));
  for (const auto& warning : request.warnings) diagnostics.warning(warning);
  auto found = TUTTI_TRY(
      studies::guidelines::tuned({request.wish, request.thresholds, limits, parameters}, machine,
                                 *std::move(settings), runner(request.jobs, diagnostics)));
  return tune(request, folder, output, machine, std::move(found), diagnostics);
}

}  // namespace

const Subcommand guidelines_tune{
    .usage = "tune",
    .summary = "profiles for PGMPITuneLib, and what they bring",
    .help =
        "Writes a performance profile of each collective and number of processes, which the real "
        "PGMPITuneLib reads: at each size the best mock-up, where it is worth replacing the "
        "collective. Runs again with the profiles, and shows default, tuned and the best of Open "
        "MPI's own parameters side by side. Exit code 1 if something is left to replace.",
    .specs = guidelines_tune_specs,
    .run = run_guidelines_tune};

}  // namespace tutti::commands
