// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines tune: performance profiles of PGMPITuneLib, and what they bring.

#include "sim/base/common.hpp"
#include "sim/base/quantile.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/guidelines/command/guidelines.hpp"
#include "sim/guidelines/command/guidelines_request.hpp"
#include "sim/guidelines/report/guidelines_tune_report.hpp"
#include "sim/select/candidates.hpp"

namespace tutti::commands {
namespace {

using studies::guidelines::Setting;
using studies::guidelines::Tuner;

constexpr int most_rounds = 5;

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

class Tuning {
 public:
  Tuning(const GuidelinesRequest& request, const platforms::Machine& machine,
         studies::guidelines::BufferLimits limits, studies::select::CandidateWish parameters,
         const Diagnostics& diagnostics)
      : request_(request),
        machine_(machine),
        parameters_(std::move(parameters)),
        diagnostics_(diagnostics),
        simulations_(request.wish.measuring),
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
      measured = TUTTI_TRY(studies::guidelines::settings_of(wish, machine_));
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
    want(settings, simulations_);
    return simulate_wanted();
  }
  bool simulate_wanted() {
    const CheckRun run = commands::simulate_wanted(simulations_, request_, machine_, diagnostics_);
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
                                              format_bytes(each.setting->message_bytes),
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
  struct ByParameters {
    std::vector<studies::select::Candidate> candidates;
    studies::select::CellCalls calls;
    std::vector<std::vector<Seconds>> times_s;  // by candidate
  };

  Result<int> add_parameters() {
    std::vector<ByParameters> all;
    for (const Setting& setting : report_.settings) {
      auto ways = TUTTI_TRY(ways_of(setting));
      all.push_back(std::move(ways));
    }
    for (std::size_t setting = 0; setting < all.size(); ++setting) {
      report_.too_large += all[setting].calls.too_large;
      want_parameters(all[setting], report_.settings[setting]);
    }
    simulate_wanted();
    for (std::size_t i = 0; i < all.size(); ++i) take_parameters(all[i], report_.tuned[i]);
    return code_;
  }

  void want_parameters(ByParameters& ways, const Setting& setting) {
    for (std::size_t i = 0; i < ways.candidates.size(); ++i)
      if (ways.candidates[i].competes && ways.calls.points[i])
        simulations_.want(*ways.calls.points[i], settling_key(setting, setting.sides.front()),
                          [&ways, i](const studies::guidelines::Latencies& latencies_s) {
                            ways.times_s[i] = studies::guidelines::medians_of(latencies_s);
                          });
  }

  // None where there is no default to compare them with.
  Result<ByParameters> ways_of(const Setting& setting) const {
    if (!setting.sides.front().skipped.empty()) return ByParameters{};
    ByParameters ways;
    ways.candidates = studies::select::candidates_of(setting.collective, parameters_);
    ways.times_s.resize(ways.candidates.size());
    ways.calls = TUTTI_TRY(studies::select::calls_of(setting.collective, ways.candidates,
                                                     {.procs = setting.procs,
                                                      .message_bytes = setting.message_bytes,
                                                      .inside = request_.wish.selection},
                                                     setting.sides.front().point, machine_));
    return ways;
  }

  static void take_parameters(const ByParameters& ways, reports::TunedSetting& tuned) {
    for (std::size_t i = 0; i < ways.candidates.size(); ++i) {
      if (ways.times_s[i].empty()) continue;
      const Seconds time_s = median_of(ways.times_s[i]);
      if (tuned.parameters_s && time_s >= *tuned.parameters_s) continue;
      tuned.parameters_s = time_s;
      tuned.parameters = label_of(ways.candidates[i]);
    }
  }

  const GuidelinesRequest& request_;
  const platforms::Machine& machine_;
  const studies::select::CandidateWish parameters_;
  const Diagnostics& diagnostics_;
  studies::guidelines::Simulations simulations_;
  Tuner tuner_;
  reports::GuidelinesTuneReport report_;
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

Result<int> tune(const GuidelinesRequest& request, const std::string& folder,
                 const DocumentOutput& output, Tuning tuning, std::vector<Setting> settings,
                 const Diagnostics& diagnostics) {
  const auto code = TUTTI_TRY(tuning.tune(std::move(settings)));
  auto& report = tuning.report();
  if (code != exit_done) {
    for (const auto& failed : report.failed)
      diagnostics.error(make_error(ErrorKind::run, "", failed, {}));
    return code;
  }
  if (const auto error = write_profiles(tuning.profiles(), folder, report)) return *error;
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
  const auto message_bytes = size_of(parsed, "--message-buffer", limits.message_bytes);
  const auto int_bytes = size_of(parsed, "--int-buffer", limits.int_bytes);
  if (!message_bytes) return message_bytes.errors();
  if (!int_bytes) return int_bytes.errors();
  limits = {*message_bytes, *int_bytes};
  const auto parameters = TUTTI_TRY(parameters_of(parsed));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  auto settings = checked_settings(request, machine);
  if (!settings) return parsed.placed(settings.errors());
  if (!parsed.has("--profiles"))
    return usage_error("-o", "is required", "the folder that the profiles go to");
  const auto folder = TUTTI_TRY(empty_profiles_folder(parsed));
  for (const auto& warning : request.warnings) diagnostics.warning(warning);
  return tune(request, folder, output, Tuning(request, machine, limits, parameters, diagnostics),
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
    .specs = guidelines_tune_specs,
    .run = run_guidelines_tune};

}  // namespace tutti::commands
