// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines tune: writes performance profiles for PGMPITuneLib, and simulates their gain.

#include "sim/base/common.hpp"
#include "sim/guidelines/command/guidelines_request.hpp"
#include "sim/guidelines/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {
namespace {

using studies::guidelines::Setting;

constexpr std::string_view parameters_group = "Open MPI parameters to compare with";

struct ProfilesRequest : GuidelinesRequest {
  studies::guidelines::BufferLimits limits;
  studies::select::CandidateSpec parameters{
      .segment_bytes = {0, 1 << 10, 8 << 10, 64 << 10}, .fanouts = {2, 4, 8}, .max_requests = {}};
  std::string folder;
  DocumentOutput document;
};

using ProfilesOptions = options::OptionTable<ProfilesRequest>;

// Reads a single size.
template <class Member>
auto limit(Member member) {
  return [place = options::within(&ProfilesRequest::limits, member)](
             OptionReader& read, std::string_view option, ProfilesRequest& request) {
    const auto values = options::parse_axis(read.values().value(option), bytes_axis);
    if (values && values->size() == 1)
      place(request) = values->front();
    else
      read.wrong(option, "expected one size", std::string(units_hint));
  };
}
constexpr auto tried = options::under(&ProfilesRequest::parameters);

const ProfilesOptions guidelines_tune_table =
    ProfilesOptions({}) + guidelines_job_options() + guidelines_check_options() +
    replaceable_option() +
    ProfilesOptions{
        {guidelines_checked, "--message-buffer", "SIZE",
         "Memory per process for the vectors of mock-ups; default: 100000000 B",
         limit(&studies::guidelines::BufferLimits::message_bytes)},
        {guidelines_checked, "--int-buffer", "SIZE",
         "Memory per process for the count vectors of mock-ups; default: 200000 B",
         limit(&studies::guidelines::BufferLimits::int_bytes)},
        {parameters_group, "--segment-size", "SIZES",
         "Segment sizes of Open MPI's algorithms; default: 0,1KiB,8KiB,64KiB; 0: not segmented",
         options::list(bytes_axis, tried(&studies::select::CandidateSpec::segment_bytes))},
        {parameters_group, "--fanout", "N", "Fan-outs of chains; default: 2,4,8",
         options::list(fanout_axis, tried(&studies::select::CandidateSpec::fanouts))},
    } +
    guidelines_measuring_options() +
    ProfilesOptions{{written({job_option::output, "-o,--profiles", "DIR",
                              "Folder for the profiles; must not contain .prf files"}),
                     options::required("the folder for the profiles"),
                     options::text(&ProfilesRequest::folder)}} +
    guidelines_jobs_option() +
    ProfilesOptions{{taking(reports::guidelines_tune_document_parts,
                            job_option::output_row("--part", "NAME",
                                                   "Print only one table: points or omitted"))},
                    {document_format},
                    {job_option::provenance},
                    {job_option::color},
                    {job_option::quiet},
                    {job_option::help}}
        .then([](OptionReader& read, ProfilesRequest& request) {
          read_document(read, {reports::guidelines_tune_document_parts}, request.document);
        });

// Comments of a profile: its origin, and omitted mock-ups.
std::vector<std::string> make_notes(const studies::guidelines::Profile& profile,
                                    const reports::GuidelinesTuneReport& report) {
  std::vector<std::string> notes{fmt::format("simulated by Tutti on {}, algorithm selection {}",
                                             report.provenance.platform_name(), report.selection)};
  for (const auto& omitted : report.omitted) {
    const Setting& setting = report.settings[omitted.setting];
    if (setting.collective == profile.collective && setting.procs == profile.procs)
      notes.push_back(fmt::format("omitted at {} B: {}: {}", setting.message_bytes,
                                  omitted.mockup->algorithm.name, omitted.why));
  }
  return notes;
}

Result<int> write_tuning(const ProfilesRequest& request, const platforms::Machine& machine,
                         studies::guidelines::TuningResult result, const Diagnostics& diagnostics) {
  reports::GuidelinesTuneReport report{
      {}, std::move(result), request.selection, request.spec.measuring.runs, request.thresholds,
      {}};
  begin_report(report, request, machine, report.last_run);
  if (report.last_run.code != exit_done) {
    for (const auto& failed : report.last_run.failed)
      diagnostics.error(make_error(ErrorKind::run, "", failed, {}));
    return report.last_run.code;
  }
  report.files =
      TUTTI_TRY(write_profiles(report.profiles, request.folder,
                               [&](const auto& profile) { return make_notes(profile, report); }));
  TUTTI_TRY(write_document(reports::guidelines_tune_document(report), request.document));
  if (report.remaining.empty()) return exit_done;
  return make_error(
      ErrorKind::check, "",
      counted(report.remaining.size(), "call") + " would still be worth replacing after tuning",
      fmt::format("the first: {}; threshold {:.4g} %", report.remaining.front(),
                  request.thresholds.replaceable * 100));
}

Result<int> run_guidelines_tune(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(read_request(parsed, guidelines_tune_table, "guidelines tune"));
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  auto settings = checked_settings(request, machine);
  if (!settings) return parsed.placed(settings.errors());
  if (const auto error = make_profiles_folder(request.folder, parsed)) return *error;
  for (const auto& warning : request.warnings) diagnostics.warning(warning);
  auto result = TUTTI_TRY(studies::guidelines::tune(
      {request.spec, request.thresholds, request.limits, request.parameters}, machine,
      *std::move(settings), runner(request.jobs, diagnostics)));
  return write_tuning(request, machine, std::move(result), diagnostics);
}

}  // namespace

const Subcommand guidelines_tune{
    .usage = "tune",
    .summary = "write performance profiles for PGMPITuneLib",
    .help =
        "Writes a performance profile for each collective and number of processes, in the format "
        "of PGMPITuneLib: at each size the best mock-up, if the collective is worth replacing. "
        "Simulates again with the profiles, and compares the default latency with the tuned one "
        "and with the best of Open MPI's own parameters. Exit code 1 if a collective is still "
        "worth replacing.",
    .specs = guidelines_tune_table,
    .run = run_guidelines_tune};

}  // namespace tutti::commands
