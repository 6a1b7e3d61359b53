// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/guidelines_request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/commands/job_options.hpp"
#include "sim/commands/point_names.hpp"
#include "sim/studies/memory_estimate.hpp"

namespace tutti::commands {
namespace {

using algorithms::guidelines::all_mockups;
using studies::guidelines::Setting;
using studies::guidelines::Side;

constexpr const char* default_sizes = "1:1MiB";
constexpr studies::AxisKind runs_axis{parse_integer, 1, 100};

class Reading : private JobReading {
 public:
  Reading(const Parsed& parsed, std::span<const OptionSpec> specs, std::string_view command)
      : JobReading(parsed), specs_(specs), command_(command) {}

  Result<GuidelinesRequest> read() {
    if (!parsed_.arguments.empty())
      wrong("", fmt::format("unexpected argument '{}'", parsed_.arguments[0]),
            "everything is said by options");
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
    wish.message_bytes = studies::parse_axis(default_sizes, bytes_axis).value();
    read_axis("--message-size", bytes_axis, wish.message_bytes);
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
    if (errors_.empty() && wish.mockups.empty())
      wrong("--guideline", "none of them is of these collectives", "`sim list mockups` names them");
  }

  void read_noise() {
    auto& wish = request_.wish;
    for (const auto* option : {"--runs", "--repetitions"})
      if (parsed_.has(option) && !parsed_.has("--noise"))
        wrong(option, "has no effect without --noise: all would be equal", "leave it out");
    if (!parsed_.has("--noise")) return;
    if (const auto noise = workloads::parse_noise(parsed_.value("--noise")))
      wish.common.benchmark.noise = *noise;
    else
      add(noise.errors());
    wish.runs = single("--runs", runs_axis, 5);
    wish.common.benchmark.repetitions = single("--repetitions", count_axis, 20);
  }

  int single(std::string_view option, const studies::AxisKind& kind, std::int64_t otherwise) {
    std::vector<std::int64_t> values{otherwise};
    read_axis(option, kind, values);
    if (values.size() > 1) wrong(std::string(option), "takes one value");
    return static_cast<int>(values.front());
  }

  void read_thresholds() {
    read_part("--violated-above", request_.thresholds.violated);
    read_part("--replaceable-from", request_.thresholds.replaceable);
  }
  void read_part(std::string_view option, double& part) {
    const auto read = commands::part_of(parsed_, option);
    if (!read) return add(read.errors());
    part = read->value_or(part);
  }

  void read_output() {
    request_.force = parsed_.has("--force");
    if (const auto jobs = jobs_of(parsed_))
      request_.jobs = *jobs;
    else
      add(jobs.errors());
  }

  const std::span<const OptionSpec> specs_;
  const std::string_view command_;
  GuidelinesRequest request_;
};

std::vector<Side*> simulated_sides(std::vector<Setting>& settings) {
  std::vector<Side*> sides;
  for (auto& setting : settings)
    for (auto& side : setting.sides)
      if (side.skipped.empty()) sides.push_back(&side);
  return sides;
}

std::vector<studies::StudyPoint> simulations_of(const std::vector<Side*>& sides, int runs,
                                                const platforms::Machine& machine) {
  std::vector<studies::StudyPoint> simulations;
  for (const Side* side : sides) {
    const auto simulate = [side, runs, &machine] {
      return studies::guidelines::simulate(side->point, runs, machine);
    };
    simulations.push_back({.key = {},
                           .description = {},
                           .name = name_of(side->point),
                           .parameters = {},
                           .simulate = simulate,
                           .memory_bytes = studies::memory_estimate(side->point)});
  }
  return simulations;
}

// A default that is skipped, or all of its mock-ups, leave nothing to compare.
std::optional<Error> nothing_left(const std::vector<Setting>& settings) {
  std::string why;
  for (const auto& setting : settings) {
    const auto runs = [](const Side& side) { return side.skipped.empty(); };
    if (runs(setting.sides.front()) &&
        std::any_of(setting.sides.begin() + 1, setting.sides.end(), runs))
      return std::nullopt;
    const auto skipped = std::ranges::find_if_not(setting.sides, runs);
    if (why.empty() && skipped != setting.sides.end()) why = skipped->skipped;
  }
  return usage_error("options", "leave nothing to compare", why);
}

}  // namespace

Result<GuidelinesRequest> read_guidelines(const Parsed& parsed, std::span<const OptionSpec> specs,
                                          std::string_view command) {
  return Reading(parsed, specs, command).read();
}

std::vector<Error> check_settings(const GuidelinesRequest& request,
                                  const platforms::Machine& machine,
                                  const std::vector<Setting>& settings) {
  if (const auto error = nothing_left(settings)) return {*error};
  const auto free_bytes = studies::free_memory();
  for (const auto& setting : settings) {
    const auto& point = setting.sides.front().point;
    if (auto placement = platforms::place(machine, point.placement); !placement)
      return placement.errors();
    for (const auto& side : setting.sides) {
      if (request.force || !free_bytes || !side.skipped.empty()) continue;
      if (auto error = studies::check_memory(side.point, *free_bytes)) return {*error};
    }
  }
  return {};
}

CheckRun simulate_settings(std::vector<Setting>& settings, const GuidelinesRequest& request,
                           const platforms::Machine& machine, const Diagnostics& diagnostics) {
  const std::vector<Side*> sides = simulated_sides(settings);
  CheckRun run =
      run_check(simulations_of(sides, request.wish.runs, machine), request.jobs, diagnostics);
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (run.answers[i]) sides[i]->times_s = studies::guidelines::times_in(*run.answers[i]);
  return run;
}

}  // namespace tutti::commands
