// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/command/guidelines_request.hpp"

#include "sim/commands/options.hpp"
#include "workloads/selection_spec.hpp"

namespace tutti::commands {
namespace {

using algorithms::guidelines::all_mockups;
using studies::guidelines::Measuring;
using studies::guidelines::Setting;

constexpr const char* guideline_sizes = "1:1MiB";
constexpr options::AxisKind runs_axis{parse_integer, 1, 100};
constexpr options::AxisKind repetitions_axis{parse_integer, 1, 1'000'000};
constexpr std::int64_t most_in_a_batch = 1000;

class GuidelinesReading : private OptionReader {
 public:
  GuidelinesReading(const OptionValues& parsed, std::span<const OptionSpec> specs,
                    std::string_view command)
      : OptionReader(parsed), specs_(specs), command_(command) {}

  Result<GuidelinesRequest> read_measured() {
    refuse_arguments();
    refuse_simulation();
    read_guidelines();
    read_thresholds();
    if (!errors_.empty()) return errors_.errors();
    request_.command =
        fmt::format("sim guidelines {}{}", command_, reproducing_options(specs_, parsed_));
    return std::move(request_);
  }

  Result<GuidelinesRequest> read() {
    refuse_arguments();
    read_machine(request_);
    read_job();
    read_guidelines();
    read_noise();
    read_thresholds();
    read_output();
    if (!errors_.empty()) return errors_.errors();
    request_.command =
        fmt::format("sim guidelines {}{}", command_, reproducing_options(specs_, parsed_));
    return std::move(request_);
  }

 private:
  void refuse_simulation() {
    const auto refuse = [&](const auto& options) {
      for (const auto& option : options)
        if (parsed_.has(option.name()))
          wrong(std::string(option.name()), "has no effect with --measured: nothing is simulated",
                "leave it out");
    };
    refuse(guidelines_option::of_job);
    refuse(guidelines_option::of_measuring);
    refuse(std::array{guidelines_option::message_size, guidelines_option::element_bytes,
                      guidelines_option::selection, jobs_option});
  }

  void read_job() {
    auto& wish = request_.wish;
    if (!parsed_.has("--procs")) wrong("--procs", "is required", "the number of processes");
    read_axis("--procs", count_axis, wish.procs);
    if (parsed_.has("--ppn")) {
      const auto ppn = count_of(parsed_, "--ppn", platforms::most_procs);
      if (ppn)
        wish.common.placement.ppn = static_cast<int>(**ppn);
      else
        add(ppn.errors());
    }
    read_placement(wish.common.placement);
    wish.common.engine = engines::EngineKind::flow;
    if (parsed_.has("--engine")) {
      const auto kind = read_engine_name();
      wish.common.engine_is_chosen = !kind;
      if (kind) wish.common.engine = *kind;
      if (kind == engines::EngineKind::ideal)
        wrong("--engine", "ideal has no times", "there are: flow, simgrid, auto");
    }
    wish.message_bytes = options::parse_axis(guideline_sizes, bytes_axis).value();
    read_axis("--message-size", bytes_axis, wish.message_bytes);
    wish.element_bytes = single("--element-bytes", some_bytes_axis, 1);
    request_.selection = value_of("--selection", "auto");
  }

  void read_guidelines() {
    std::vector<std::string> collectives, guidelines;
    for (const auto* mockup : all_mockups()) {
      guidelines.emplace_back(mockup->guideline);
      if (std::ranges::find(collectives, mockup->algorithm.collective) == collectives.end())
        collectives.emplace_back(mockup->algorithm.collective);
    }
    const auto wanted = names_of("--collective", "all", collectives, true);
    const auto named = names_of("--guideline", "all", guidelines, true);
    auto& wish = request_.wish;
    for (const auto* mockup : all_mockups()) {
      const std::string collective(mockup->algorithm.collective);
      if (std::ranges::find(wanted, collective) == wanted.end() ||
          std::ranges::find(named, mockup->guideline) == named.end())
        continue;
      wish.mockups.push_back(mockup);
      if (std::ranges::find(wish.collectives, collective) == wish.collectives.end())
        wish.collectives.push_back(collective);
    }
    if (const auto error = options::too_many_points(
            {wish.procs.size(), wish.message_bytes.size(), wish.collectives.size()}))
      add({*error});
    if (errors_.empty() && wish.mockups.empty())
      wrong("--guideline", "none of them is of these collectives", "`sim list mockups` names them");
  }

  void read_noise() {
    const bool has_noise = parsed_.has("--noise") && parsed_.value("--noise") != "none";
    if (!has_noise) return refuse_of_noise();
    auto& wish = request_.wish;
    if (const auto noise = workloads::parse_noise(parsed_.value("--noise")))
      wish.common.benchmark.noise = *noise;
    else
      add(noise.errors());
    wish.measuring.runs = number_of("--runs", runs_axis, 5);
    // The rank-sum test of n runs beside n others reaches 1 / binomial(2n, n): 1/6 and 1/20.
    if (wish.measuring.runs == 2 || wish.measuring.runs == 3)
      request_.warnings.push_back(
          fmt::format("--runs {}: so few show no difference, whatever they are; 4 are the least",
                      wish.measuring.runs));
    if (const auto sync = choice_of(parsed_, "--sync", {"window", "barrier"}); !sync)
      add(sync.errors());
    else if (*sync == "barrier")
      wish.measuring.sync = Measuring::Sync::barrier;
    if (parsed_.has("--repetitions") && parsed_.value("--repetitions") != "nrep")
      read_repetitions(wish.measuring);
    else
      read_nrep(wish.measuring);
  }

  void refuse_of_noise() {
    for (const auto& option : guidelines_option::of_measuring)
      if (option.name() != "--noise" && option.name() != "--engine" && parsed_.has(option.name()))
        wrong(std::string(option.name()), "has no effect without --noise: all would be equal",
              "leave it out");
  }

  void read_repetitions(Measuring& measuring) {
    measuring.repetitions = number_of("--repetitions", repetitions_axis, 1);
    for (const auto& option : guidelines_option::of_measuring)
      if (option.name().starts_with("--nrep-") && parsed_.has(option.name()))
        wrong(std::string(option.name()), "has no effect: --repetitions says how many",
              "--repetitions nrep estimates them");
  }

  void read_nrep(Measuring& measuring) {
    measuring.repetitions.reset();
    auto& nrep = measuring.nrep;
    read_part("--nrep-rse", nrep.rse);
    read_part("--nrep-rse-other", nrep.rse_of_batch);
    if (nrep.rse <= 0) wrong("--nrep-rse", "must be above 0", "as in 1%");
    read_batches(nrep);
    nrep.least = number_of("--nrep-min", repetitions_axis, nrep.least);
    nrep.most = number_of("--nrep-max", repetitions_axis, nrep.most);
    if (nrep.most < std::max(nrep.least, 2))
      wrong("--nrep-max", fmt::format("is less than the {} calls needed", std::max(nrep.least, 2)));
  }

  void read_batches(studies::guidelines::NrepRule& nrep) {
    if (!parsed_.has("--nrep-batches")) return;
    std::vector<std::int64_t> batches;
    for (const auto& word : words_of(parsed_.value("--nrep-batches"))) {
      const auto number = parse_integer(word);
      batches.push_back(number && *number <= most_in_a_batch ? *number : -1);
    }
    if (batches.size() != 2 || batches[0] < 1 || batches[1] < 0)
      return wrong("--nrep-batches", "takes two numbers of calls",
                   "as in 5,5; the first from 1, the second from 0 to 1000");
    nrep.first_batch = static_cast<int>(batches[0]);
    nrep.second_batch = static_cast<int>(batches[1]);
  }

  int number_of(std::string_view option, const options::AxisKind& kind, std::int64_t otherwise) {
    return static_cast<int>(single(option, kind, otherwise));
  }

  void read_thresholds() {
    if (request_.wish.measuring.runs > 1)
      request_.thresholds.violated = 0;  // the rank-sum test decides
    read_part("--violated-above", request_.thresholds.violated);
    read_part("--replaceable-from", request_.thresholds.replaceable);
  }
  void read_part(std::string_view option, double& part) {
    const auto read = options::part_of(parsed_, option);
    if (!read) return add(read.errors());
    part = read->value_or(part);
  }

  void read_output() {
    request_.force = parsed_.has("--force");
    request_.wish.skips_longest = !request_.force;
    if (const auto jobs = jobs_of(parsed_))
      request_.jobs = *jobs;
    else
      add(jobs.errors());
  }

  const std::span<const OptionSpec> specs_;
  const std::string_view command_;
  GuidelinesRequest request_;
};

}  // namespace

Result<GuidelinesRequest> read_guidelines(const OptionValues& parsed,
                                          std::span<const OptionSpec> specs,
                                          std::string_view command) {
  return GuidelinesReading(parsed, specs, command).read();
}

Result<std::string> empty_profiles_folder(const OptionValues& parsed) {
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

Result<GuidelinesRequest> read_measured_guidelines(const OptionValues& parsed,
                                                   std::span<const OptionSpec> specs) {
  return GuidelinesReading(parsed, specs, "check").read_measured();
}

Result<std::vector<Setting>> checked_settings(GuidelinesRequest& request,
                                              const platforms::Machine& machine) {
  const auto selection = workloads::parse_selection(request.selection, machine);
  if (!selection) return selection.errors();
  request.wish.selection = selection->selection;
  for (const auto* warnings : {&machine.warnings, &selection->warnings})
    request.warnings.insert(request.warnings.end(), warnings->begin(), warnings->end());
  auto settings = TUTTI_TRY(studies::guidelines::settings_of(request.wish, machine));
  if (auto errors = check_settings(settings, machine, request.force); !errors.empty())
    return errors;
  return settings;
}

Result<std::vector<std::string>> write_profiles(
    studies::guidelines::Profiles profiles, const std::string& folder,
    const std::function<std::vector<std::string>(const studies::guidelines::Profile&)>& notes_of) {
  std::vector<std::string> files;
  for (auto& profile : profiles.all) {
    profile.notes = notes_of(profile);
    files.push_back(fmt::format("{}/{}_{}.prf", folder, profile.collective, profile.procs));
    if (auto error = write_file(files.back(), profile_text(profile))) return *std::move(error);
  }
  return files;
}

}  // namespace tutti::commands
