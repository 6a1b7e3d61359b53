// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/command/guidelines_request.hpp"

#include "sim/commands/options.hpp"
#include "sim/guidelines/command/guidelines_request.help.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "workloads/selection_spec.hpp"

namespace tutti::commands {
namespace {

using algorithms::guidelines::all_mockups;
using studies::guidelines::Measuring;
using studies::guidelines::NrepRule;
using studies::guidelines::Setting;
using studies::guidelines::Spec;

constexpr const char* guideline_sizes = "1:1MiB";
constexpr options::AxisKind runs_axis{parse_integer, 1, 100};
constexpr options::AxisKind repetitions_axis{parse_integer, 1, 1'000'000};
constexpr std::int64_t most_in_a_batch = 1000;

constexpr std::string_view checked = guidelines_checked;
constexpr std::string_view measuring = "Measurement";

auto placed = [](auto& request) -> auto& { return request.spec.common.placement; };

constexpr auto requested = options::under(&GuidelinesRequest::spec);
constexpr auto of_measuring = options::under(requested(&Spec::measuring));
constexpr auto ruled = options::under(of_measuring(&Measuring::nrep));

std::vector<std::string> guideline_names() {
  std::vector<std::string> names;
  for (const auto* mockup : all_mockups()) names.emplace_back(mockup->guideline);
  for (const auto* mockup : all_mockups())
    if (!mockup->library.empty() && std::ranges::find(names, mockup->library) == names.end())
      names.emplace_back(mockup->library);
  return names;
}

// By default, mock-ups that need another library of TU Wien are not named.
bool is_named(const algorithms::guidelines::Mockup& mockup, const OptionReader& read,
              const std::vector<std::string>& named) {
  if (!read.values().has("--guideline")) return mockup.library.empty();
  return std::ranges::find(named, mockup.guideline) != named.end() ||
         std::ranges::find(named, mockup.library) != named.end();
}

void choose_mockups(OptionReader& read, GuidelinesRequest& request) {
  std::vector<std::string> collectives;
  for (const auto* mockup : all_mockups())
    if (std::ranges::find(collectives, mockup->algorithm.collective) == collectives.end())
      collectives.emplace_back(mockup->algorithm.collective);
  const auto wanted = read.names_of("--collective", "all", collectives, true);
  const auto named = read.names_of("--guideline", "all", guideline_names(), true);
  auto& spec = request.spec;
  for (const auto* mockup : all_mockups()) {
    const std::string collective(mockup->algorithm.collective);
    if (std::ranges::find(wanted, collective) == wanted.end() || !is_named(*mockup, read, named))
      continue;
    spec.mockups.push_back(mockup);
    if (std::ranges::find(spec.collectives, collective) == spec.collectives.end())
      spec.collectives.push_back(collective);
  }
  if (const auto error = options::too_many_points(
          {spec.procs.size(), spec.message_bytes.size(), spec.collectives.size()}))
    read.add({*error});
  if (read.errors().empty() && spec.mockups.empty())
    read.wrong("--guideline", "no selected guideline applies to the selected collectives",
               "`sim list mockups` lists the guidelines of each collective");
}

void read_measuring_engine(OptionReader& read, std::string_view option,
                           GuidelinesRequest& request) {
  const auto kind = read.read_engine_name();
  auto& common = request.spec.common;
  common.engine_is_chosen = !kind;
  if (kind) common.engine = *kind;
  if (kind == engines::EngineKind::ideal)
    read.wrong(option, "the engine ideal does not predict times",
               "expected one of: flow, simgrid, auto");
}

// With noise, the default is several runs of several calls.
void read_measuring_noise(OptionReader& read, std::string_view option, GuidelinesRequest& request) {
  const std::string& text = read.values().value(option);
  if (text == "none") return;
  auto& spec = request.spec;
  spec.measuring.runs = 5;
  spec.measuring.repetitions.reset();
  if (const auto noise = workloads::parse_noise(text))
    spec.common.benchmark.noise = *noise;
  else
    read.add(noise.errors());
}

void read_measuring_repetitions(OptionReader& read, std::string_view option,
                                GuidelinesRequest& request) {
  if (read.values().value(option) == "nrep") return;
  request.spec.measuring.repetitions = static_cast<int>(read.single(option, repetitions_axis, 1));
}

void read_batches(OptionReader& read, std::string_view option, GuidelinesRequest& request) {
  std::vector<std::int64_t> batches;
  for (const auto& word : split_words(read.values().value(option), ',')) {
    const auto number = parse_integer(word);
    batches.push_back(number && *number <= most_in_a_batch ? *number : -1);
  }
  if (batches.size() != 2 || batches[0] < 1 || batches[1] < 0)
    return read.wrong(option, "expected two numbers of calls",
                      "for example 5,5; from 1 to 1000, and from 0 to 1000");
  auto& nrep = request.spec.measuring.nrep;
  nrep.first_batch = static_cast<int>(batches[0]);
  nrep.second_batch = static_cast<int>(batches[1]);
}

void check_measuring(OptionReader& read, GuidelinesRequest& request) {
  const auto& values = read.values();
  auto& how = request.spec.measuring;
  const bool has_noise = values.value_or("--noise", "none") != "none";
  for (const auto& option : guidelines_measuring_options().specs())
    if (!has_noise && option.name() != "--noise" && option.name() != "--engine" &&
        values.has(option.name()))
      read.wrong(option.name(), "has no effect without --noise: all repetitions would be equal",
                 "omit it, or add --noise");
    else if (has_noise && how.repetitions && option.name().starts_with("--nrep-") &&
             values.has(option.name()))
      read.wrong(option.name(), "has no effect: --repetitions sets a fixed number",
                 "--repetitions nrep estimates the number");
  if (!has_noise) return;
  // The smallest p-value of the rank-sum test of n against n runs is 1 / binomial(2n, n): 1/6 and
  // 1/20 for 2 and 3 runs.
  if (how.runs == 2 || how.runs == 3)
    request.warnings.push_back(
        fmt::format("--runs {}: the rank-sum test needs at least 4 runs to detect any difference, "
                    "so no violation can be found",
                    how.runs));
  const auto& nrep = how.nrep;
  if (nrep.rse <= 0) read.wrong("--nrep-rse", "must be above 0", "for example 1%");
  if (nrep.most < std::max(nrep.least, 2))
    read.wrong("--nrep-max", fmt::format("must be at least {} calls", std::max(nrep.least, 2)));
  // With several runs, the rank-sum test decides instead of a threshold.
  if (how.runs > 1 && !values.has("--violated-above")) request.thresholds.violated = 0;
}

GuidelinesOptions nrep_options() {
  return {
      {{measuring, "--nrep-rse", "PERCENT",
        "Relative standard error at which calls of 1 byte have settled; default: 1%"},
       options::fraction(ruled(&NrepRule::rse))},
      {{measuring, "--nrep-rse-other", "PERCENT", texts::guidelines_request["--nrep-rse-other"]},
       options::fraction(ruled(&NrepRule::rse_of_batch))},
      {{measuring, "--nrep-batches", "B1,B2",
        "Number of calls in the batches, of which the fastest call is used; default: 5,5"},
       read_batches},
      {{measuring, "--nrep-min", "K", "Minimum number of calls in a run; default: 5"},
       options::number(repetitions_axis, ruled(&NrepRule::least))},
      {{measuring, "--nrep-max", "N", "Maximum number of calls in a run; default: 1000"},
       options::number(repetitions_axis, ruled(&NrepRule::most))}};
}

}  // namespace

GuidelinesRequest::GuidelinesRequest() {
  spec.common.engine = engines::EngineKind::flow;
  spec.message_bytes = options::parse_axis(guideline_sizes, bytes_axis).value();
}

const GuidelinesOptions& guidelines_job_options() {
  static const GuidelinesOptions table =
      GuidelinesOptions({}) + machine_options() +
      GuidelinesOptions{
          {job_option::procs, options::required("the number of processes"),
           options::list(count_axis, requested(&Spec::procs))},
          {job_option::ppn,
           options::count(platforms::most_procs,
                          options::within(placed, &platforms::PlacementRequest::ppn))},
          {job_option::map},
          {job_option::nodes},
          {job_option::allocation},
          {job_option::oversubscribe},
          {{job_option::machine, "--force", "",
            "Simulate even if memory seems insufficient or calls take long"},
           options::flag(&GuidelinesRequest::force)}}
          .then([](OptionReader& read, GuidelinesRequest& request) {
            read.read_placement(placed(request));
            request.spec.skips_longest = !request.force;
          });
  return table;
}

GuidelinesOptions guidelines_check_options() {
  return GuidelinesOptions{
      {taking("all",
              taking(studies::collective_names, {checked, "--collective", "NAMES",
                                                 texts::guidelines_request["--collective"]}))},
      {taking("all", taking(guideline_names, {checked, "--guideline", "NAMES",
                                              texts::guidelines_request["--guideline"]}))},
      {{checked, "--message-size", "SIZES", texts::guidelines_request["--message-size"]},
       options::list(bytes_axis, requested(&Spec::message_bytes))},
      {{checked, "--element-bytes", "SIZE", texts::guidelines_request["--element-bytes"]},
       options::number(some_bytes_axis, requested(&Spec::element_bytes))},
      {taking(job_option::selection_words,
              {checked, "--selection", "HOW", texts::guidelines_request["--selection"]}),
       options::text(&GuidelinesRequest::selection)}}
      .then(choose_mockups);
}

GuidelinesOptions check_only_options() {
  return {{{checked, "--chunk-size", "N", texts::guidelines_request["--chunk-size"]},
           options::number(count_axis, requested(&Spec::chunk_elements))},
          {{checked, "--violated-above", "PERCENT", texts::guidelines_request["--violated-above"]},
           options::fraction(options::within(&GuidelinesRequest::thresholds,
                                             &studies::guidelines::Thresholds::violated))}};
}

GuidelinesOptions replaceable_option() {
  return {
      {{checked, "--replaceable-from", "PERCENT", texts::guidelines_request["--replaceable-from"]},
       options::fraction(options::within(&GuidelinesRequest::thresholds,
                                         &studies::guidelines::Thresholds::replaceable))}};
}

const GuidelinesOptions& guidelines_measuring_options() {
  static const GuidelinesOptions table =
      GuidelinesOptions{
          {taking("multiplicative: additive:",
                  {measuring, "--noise", "HOW", texts::guidelines_request["--noise"]}),
           read_measuring_noise},
          {{measuring, "--runs", "N",
            "With noise: number of runs, whose median is used; default: 5"},
           options::number(runs_axis, of_measuring(&Measuring::runs))},
          {taking("nrep", {measuring, "--repetitions", "N|nrep",
                           texts::guidelines_request["--repetitions"]}),
           read_measuring_repetitions}} +
      nrep_options() +
      GuidelinesOptions{{taking("window barrier",
                                {measuring, "--sync", "HOW", texts::guidelines_request["--sync"]}),
                         options::choice<Measuring::Sync>({{"window", Measuring::Sync::window},
                                                           {"barrier", Measuring::Sync::barrier}},
                                                          of_measuring(&Measuring::sync))},
                        {taking("auto flow simgrid", {measuring, "--engine", "NAME",
                                                      "Engine: flow (default), simgrid, auto"}),
                         read_measuring_engine}}
          .then(check_measuring);
  return table;
}

GuidelinesOptions guidelines_jobs_option() {
  return {{jobs_option, options::value_from(read_jobs, &GuidelinesRequest::jobs)}};
}

std::optional<Error> make_profiles_folder(const std::string& folder, const OptionValues& parsed) {
  if (folder.empty()) return usage_error(parsed.typed("--profiles"), "requires a folder name");
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::filesystem::directory_iterator entry(folder, failed);
  if (failed)
    return make_error(ErrorKind::io, folder, "cannot use the folder: " + failed.message());
  for (const auto& file : entry)
    if (file.path().extension() == ".prf")
      return usage_error(parsed.typed("--profiles"),
                         fmt::format("{} already contains profiles", folder),
                         "use another folder, or remove the profiles");
  return std::nullopt;
}

Result<std::vector<Setting>> checked_settings(GuidelinesRequest& request,
                                              const platforms::Machine& machine) {
  const auto selection = workloads::parse_selection(request.selection, machine);
  if (!selection) return selection.errors();
  request.spec.selection = selection->selection;
  for (const auto* warnings : {&machine.warnings, &selection->warnings})
    request.warnings.insert(request.warnings.end(), warnings->begin(), warnings->end());
  auto settings = TUTTI_TRY(studies::guidelines::make_settings(request.spec, machine));
  if (auto errors = check_settings(settings, machine, request.force); !errors.empty())
    return errors;
  return settings;
}

Result<std::vector<std::string>> write_profiles(
    studies::guidelines::Profiles profiles, const std::string& folder,
    const std::function<std::vector<std::string>(const studies::guidelines::Profile&)>&
        make_notes) {
  std::vector<std::string> files;
  for (auto& profile : profiles.all) {
    profile.notes = make_notes(profile);
    files.push_back(fmt::format("{}/{}_{}.prf", folder, profile.collective, profile.procs));
    if (auto error = write_file(files.back(), profile_text(profile))) return *std::move(error);
  }
  return files;
}

}  // namespace tutti::commands
