// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines tune: performance profiles of PGMPITuneLib, and what they bring.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error_list.hpp"
#include "sim/base/quantile.hpp"
#include "sim/commands/guidelines.hpp"
#include "sim/commands/guidelines_request.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/commands/output.hpp"
#include "sim/reports/guidelines_tune_report.hpp"
#include "sim/studies/select/candidates.hpp"
#include "workloads/selection_spec.hpp"

namespace tutti::commands {
namespace {

namespace option = guidelines_option;
using studies::guidelines::Setting;
using studies::guidelines::Tuner;

constexpr int most_rounds = 5;

constexpr auto specs = option::joined(
    option::of_job, option::of_check,
    std::array{
        option::replaceable,
        OptionSpec{option::checked, "--message-buffer", "SIZE",
                   "of the library, in each process; default: 100000000 B"},
        OptionSpec{option::checked, "--int-buffer", "SIZE",
                   "the same for count vectors; default: 200000 B"},
    },
    option::of_measuring,
    std::array{
        OptionSpec{job_option::output, "-o,--profiles", "DIR",
                   "where the profiles go; without .prf files yet"},
        jobs_option,
        job_option::output_row("--part", "NAME", "one table alone: points or left-out"),
        document_format,
        job_option::color,
        job_option::quiet,
        job_option::help,
    });

// Of an option that takes one size.
Result<Bytes> size_of(const Parsed& parsed, std::string_view name, Bytes otherwise) {
  if (!parsed.has(name)) return otherwise;
  const auto values = studies::parse_axis(parsed.value(name), bytes_axis);
  if (values && values->size() == 1) return values->front();
  return usage_error(parsed.typed(name), "takes one number of bytes", std::string(units_hint));
}

Result<std::string> folder_of(const Parsed& parsed) {
  if (!parsed.has("--profiles"))
    return usage_error("-o", "is required", "the folder that the profiles go to");
  const std::string& folder = parsed.value("--profiles");
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::filesystem::directory_iterator entry(folder, failed);
  if (failed) return make_error(ErrorKind::io, folder, "cannot be written: " + failed.message());
  for (const auto& each : entry)
    if (each.path().extension() == ".prf")
      return usage_error(parsed.typed("--profiles"), fmt::format("{} has profiles already", folder),
                         "take another folder, or remove them");
  return folder;
}

class Tuning {
 public:
  Tuning(const GuidelinesRequest& request, const platforms::Machine& machine,
         studies::guidelines::BufferLimits limits, const Diagnostics& diagnostics)
      : request_(request),
        machine_(machine),
        diagnostics_(diagnostics),
        tuner_(request.thresholds, limits) {
    report_.provenance =
        reports::provenance_of(machine, request.platform, request.overrides, request.command);
    report_.selection = request.selection;
    report_.runs = request.wish.measuring.runs;
    report_.thresholds = request.thresholds;
    report_.limits = limits;
  }

  // Fills the report; the exit code so far.
  Result<int> tune(std::vector<Setting> settings) {
    report_.settings = std::move(settings);
    if (!simulate(report_.settings)) return code_;
    auto measured = report_.settings;
    while (report_.rounds < most_rounds && tuner_.improve(measured)) {
      auto wish = request_.wish;
      wish.selection = studies::guidelines::profiled(*request_.wish.selection, profiles());
      auto again = studies::guidelines::settings_of(wish, machine_);
      if (!again) return again.errors();
      measured = *std::move(again);
      if (!simulate(measured)) return code_;
      ++report_.rounds;
    }
    report_.left_out = tuner_.left_out();
    note_remaining(measured);
    return take(measured);
  }

  studies::guidelines::Profiles profiles() const { return tuner_.profiles(report_.settings); }
  reports::GuidelinesTuneReport& report() { return report_; }

 private:
  bool simulate(std::vector<Setting>& settings) {
    const CheckRun run = measure_settings(settings, settlings_, request_, machine_, diagnostics_);
    code_ = run.code;
    report_.failed = run.failed;
    return run.code == exit_done;
  }

  // What the buffers do not hold is told as left out.
  void note_remaining(const std::vector<Setting>& measured) {
    for (const auto& each : studies::guidelines::comparisons(measured, request_.thresholds)) {
      if (!each.replaceable || !report_.limits.hold(each.extra)) continue;
      if (each.setting->message_bytes == 0) continue;
      report_.remaining.push_back(fmt::format("{} of {} by {}", each.setting->collective,
                                              format_bytes(each.setting->vector_bytes),
                                              each.side->mockup->algorithm.name));
    }
  }

  Result<int> take(const std::vector<Setting>& measured) {
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const auto& by_default = report_.settings[i].sides.front();
      const auto& tuned = measured[i].sides.front();
      reports::TunedSetting row;
      row.mockup = tuner_.choice(i);
      if (!by_default.times_s.empty()) row.default_s = median_of(by_default.times_s);
      if (!tuned.times_s.empty()) row.tuned_s = median_of(tuned.times_s);
      row.tuned_runs_as = workloads::runs_as(tuned.point.call, measured[i].procs);
      report_.tuned.push_back(std::move(row));
    }
    return add_parameters();
  }

  // The ways of Open MPI's own tuning: its algorithms with segments and fan-outs.
  Result<int> add_parameters() {
    const studies::select::CandidateWish wish{
        .segment_bytes = {0, 1 << 10, 8 << 10, 64 << 10}, .fanouts = {2, 4, 8}, .max_requests = {}};
    std::vector<std::vector<studies::select::Candidate>> candidates;
    std::vector<studies::StudyPoint> points;
    for (const Setting& setting : report_.settings) {
      candidates.push_back(studies::select::candidates_of(setting.collective, wish));
      auto calls = studies::select::calls_of(setting.collective, candidates.back(),
                                             {.procs = setting.procs,
                                              .message_bytes = setting.message_bytes,
                                              .rules = request_.wish.selection->rules},
                                             setting.sides.front().point, machine_);
      if (!calls) return calls.errors();
      points.push_back(
          {.key = {},
           .description = {},
           .name = fmt::format("parameters of {}, {}", setting.collective,
                               format_bytes(setting.vector_bytes)),
           .parameters = {},
           .simulate = [calls = *std::move(calls), this] { return medians_of(calls); }});
    }
    const CheckRun run = run_check(points, request_.jobs, diagnostics_);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (run.answers[i]) take_parameters(i, *run.answers[i], candidates[i]);
    report_.failed.insert(report_.failed.end(), run.failed.begin(), run.failed.end());
    return run.code;
  }

  // Over the runs, of one call each.
  Result<Row> medians_of(studies::select::CellCalls calls) const {
    Row row;
    std::vector<std::vector<Seconds>> times_s;
    for (int run = 0; run < request_.wish.measuring.runs; ++run) {
      auto answer = studies::select::simulate(calls, machine_);
      if (!answer) return answer.errors();
      times_s.resize(answer->size());
      for (std::size_t i = 0; i < answer->size(); ++i)
        times_s[i].push_back(std::get<Seconds>((*answer)[i].value));
      row = *std::move(answer);
      for (auto& point : calls.points)
        if (point) ++point->benchmark.noise.seed;
    }
    for (std::size_t i = 0; i < row.size(); ++i) row[i].value = median_of(times_s[i]);
    return row;
  }

  void take_parameters(std::size_t setting, const Row& row,
                       const std::vector<studies::select::Candidate>& candidates) {
    const auto times_s = studies::select::times_in(row, candidates.size());
    auto& tuned = report_.tuned[setting];
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!candidates[i].competes || !times_s[i]) continue;
      if (tuned.parameters_s && *times_s[i] >= *tuned.parameters_s) continue;
      tuned.parameters_s = times_s[i];
      tuned.parameters = label_of(candidates[i]);
    }
  }

  const GuidelinesRequest& request_;
  const platforms::Machine& machine_;
  const Diagnostics& diagnostics_;
  Tuner tuner_;
  reports::GuidelinesTuneReport report_;
  studies::guidelines::Settlings settlings_;
  int code_ = exit_done;
};

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

std::optional<Error> write_profiles(studies::guidelines::Profiles profiles,
                                    const std::string& folder,
                                    reports::GuidelinesTuneReport& report) {
  for (auto& profile : profiles.all) {
    profile.notes = notes_of(profile, report);
    const auto file = fmt::format("{}/{}_{}.prf", folder, profile.collective, profile.procs);
    if (auto error = write_file(file, profile_text(profile))) return error;
    report.files.push_back(file);
  }
  return std::nullopt;
}

int tune(const GuidelinesRequest& request, const std::string& folder, const DocumentOutput& output,
         Tuning tuning, std::vector<Setting> settings, const Diagnostics& diagnostics) {
  const auto code = tuning.tune(std::move(settings));
  if (!code) return diagnostics.fail(code.errors());
  auto& report = tuning.report();
  if (*code != exit_done) {
    for (const auto& failed : report.failed)
      diagnostics.error(make_error(ErrorKind::run, "", failed, {}));
    return *code;
  }
  if (const auto error = write_profiles(tuning.profiles(), folder, report))
    return diagnostics.fail({*error});
  if (const int written =
          write_document(reports::guidelines_tune_document(report), output, diagnostics);
      written != exit_done)
    return written;
  if (report.remaining.empty()) return exit_done;
  return diagnostics.fail(
      {make_error(ErrorKind::run, "",
                  fmt::format("{} call{} would still be worth replacing with the profiles",
                              report.remaining.size(), report.remaining.size() == 1 ? "" : "s"),
                  fmt::format("the first: {}; threshold {:.4g} %", report.remaining.front(),
                              request.thresholds.replaceable * 100))});
}

int run(const Parsed& parsed, const Diagnostics& diagnostics) {
  auto request = read_guidelines(parsed, specs, "tune");
  if (!request) return diagnostics.fail(request.errors());
  const auto output = document_output(parsed, reports::guidelines_tune_document_parts());
  if (!output) return diagnostics.fail(output.errors());
  studies::guidelines::BufferLimits limits;
  const auto message_bytes = size_of(parsed, "--message-buffer", limits.message_bytes);
  const auto int_bytes = size_of(parsed, "--int-buffer", limits.int_bytes);
  if (!message_bytes) return diagnostics.fail(message_bytes.errors());
  if (!int_bytes) return diagnostics.fail(int_bytes.errors());
  limits = {*message_bytes, *int_bytes};
  const auto machine = platforms::load_machine(request->platform, request->overrides);
  if (!machine) return diagnostics.fail(machine.errors());
  const auto selection = workloads::parse_selection(request->selection, *machine);
  if (!selection) return diagnostics.fail(selection.errors());
  request->wish.selection = selection->selection;
  auto settings = studies::guidelines::settings_of(request->wish, *machine);
  if (!settings) return diagnostics.fail(as_typed(settings.errors(), parsed));
  if (const auto errors = check_settings(*request, *machine, *settings); !errors.empty())
    return diagnostics.fail(as_typed(errors, parsed));
  const auto folder = folder_of(parsed);
  if (!folder) return diagnostics.fail(folder.errors());
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  for (const auto& warning : selection->warnings) diagnostics.warning(warning);
  return tune(*request, *folder, *output, Tuning(*request, *machine, limits, diagnostics),
              *std::move(settings), diagnostics);
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
    .specs = specs,
    .run = run};

}  // namespace tutti::commands
