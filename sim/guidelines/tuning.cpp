// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/tuning.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies::guidelines {
namespace {

// PGMPITuneLib stores the message size in an int, and replaces only calls with data.
bool has_profile(const Setting& setting) {
  return setting.message_bytes > 0 &&
         setting.message_bytes <= std::numeric_limits<std::int32_t>::max();
}

std::string exceeded_limit(const algorithms::guidelines::ExtraMemory& extra,
                           const BufferLimits& limits) {
  if (extra.int_bytes > limits.int_bytes)
    return fmt::format("needs {} B for count vectors, but the buffer has {} B", extra.int_bytes,
                       limits.int_bytes);
  return fmt::format("needs {} B for vectors, but the buffer has {} B", extra.message_bytes,
                     limits.message_bytes);
}

// The graph of calls between chosen mock-ups.
class Calls {
 public:
  Calls(const std::vector<Setting>& settings, const std::vector<const Mockup*>& chosen)
      : settings_(settings), chosen_(chosen) {
    for (std::size_t i = 0; i < settings.size(); ++i)
      if (chosen[i] != nullptr)
        at_[{settings[i].collective, settings[i].procs, settings[i].message_bytes}] = i;
  }

  // The settings of a cycle, each calling the next one; empty if there is no cycle.
  std::vector<std::size_t> cycle() {
    done_.assign(settings_.size(), false);
    for (const auto& [key, setting] : at_)
      if (auto cycle = follow(setting); !cycle.empty()) return cycle;
    return {};
  }

 private:
  std::vector<std::size_t> follow(std::size_t setting) {
    const auto again = std::ranges::find(path_, setting);
    if (again != path_.end()) return {again, path_.end()};
    // The calls of the other libraries' mock-ups go to MPI itself (PMPI).
    if (done_[setting] || !chosen_[setting]->library.empty()) return {};
    path_.push_back(setting);
    const Setting& of = settings_[setting];
    for (const auto& call :
         chosen_[setting]->calls({.message_bytes = of.message_bytes}, of.procs)) {
      const auto next = at_.find({std::string(call.collective), of.procs, call.args.message_bytes});
      if (next == at_.end()) continue;
      if (auto cycle = follow(next->second); !cycle.empty()) return cycle;
    }
    path_.pop_back();
    done_[setting] = true;
    return {};
  }

  const std::vector<Setting>& settings_;
  const std::vector<const Mockup*>& chosen_;
  std::map<std::tuple<std::string, int, Bytes>, std::size_t> at_;
  std::vector<std::size_t> path_;
  std::vector<bool> done_;
};

constexpr int most_rounds = 5;

class Tuning {
 public:
  Tuning(const TuningSpec& spec, const platforms::Machine& machine, const RunPoints& run)
      : spec_(spec),
        machine_(machine),
        run_(run),
        simulations_(spec.spec.measuring),
        tuner_(spec.thresholds, spec.limits) {}

  Result<TuningResult> tune(std::vector<Setting> settings) {
    result_.settings = std::move(settings);
    auto goes_on = TUTTI_TRY(simulate(result_.settings));
    auto measured = result_.settings;
    while (goes_on && result_.rounds < most_rounds && tuner_.improve(measured)) {
      auto spec = spec_.spec;
      spec.selection = profiled(*spec.selection, tuner_.profiles(result_.settings));
      measured = TUTTI_TRY(make_settings(spec, machine_));
      goes_on = TUTTI_TRY(simulate(measured));
      result_.rounds += goes_on;
    }
    if (!goes_on) return std::move(result_);
    result_.profiles = tuner_.profiles(result_.settings);
    result_.omitted = tuner_.omitted();
    note_remaining(measured);
    take(measured);
    if (auto errors = add_parameters(); !errors.empty()) return errors;
    return std::move(result_);
  }

 private:
  // Simulates the settings; false if the run was stopped or failed.
  Result<bool> simulate(std::vector<Setting>& settings) {
    want(settings, simulations_);
    return simulate_wanted();
  }
  Result<bool> simulate_wanted() {
    result_.last_run =
        TUTTI_TRY(guidelines::simulate_wanted(simulations_, spec_.spec, machine_, run_));
    return result_.last_run.code == 0;
  }

  // Mock-ups that do not fit into the buffers are listed as omitted instead.
  void note_remaining(const std::vector<Setting>& measured) {
    for (const auto& comparison : comparisons(measured, spec_.thresholds)) {
      if (!comparison.replaceable || !spec_.limits.hold(comparison.extra)) continue;
      if (comparison.setting->message_bytes == 0) continue;
      result_.remaining.push_back(fmt::format("{} of {} by {}", comparison.setting->collective,
                                              format_bytes(comparison.setting->message_bytes),
                                              comparison.side->mockup->algorithm.name));
    }
  }

  void take(const std::vector<Setting>& measured) {
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const auto& by_default = result_.settings[i].sides.front();
      const auto& tuned = measured[i].sides.front();
      auto& row = result_.tuned.emplace_back();
      row.mockup = tuner_.choice(i);
      if (!by_default.times_s.empty()) row.default_s = median_of(by_default.times_s);
      if (!tuned.times_s.empty()) row.tuned_s = median_of(tuned.times_s);
      row.tuned_runs_as = workloads::runs_as(tuned.point.call, measured[i].procs);
    }
  }

  // The alternatives of Open MPI's own tuning: its algorithms with segment sizes and fan-outs.
  struct ByParameters {
    std::vector<select::Candidate> candidates;
    select::CellCalls calls;
    std::vector<std::vector<Seconds>> times_s;  // by candidate
  };

  std::vector<Error> add_parameters() {
    std::vector<ByParameters> all;
    for (const Setting& setting : result_.settings) {
      auto ways = TUTTI_TRY(find_ways(setting));
      result_.too_large += ways.calls.too_large;
      all.push_back(std::move(ways));
    }
    for (std::size_t i = 0; i < all.size(); ++i) want_parameters(all[i], result_.settings[i]);
    TUTTI_TRY(simulate_wanted());
    for (std::size_t i = 0; i < all.size(); ++i) take_parameters(all[i], result_.tuned[i]);
    return {};
  }

  void want_parameters(ByParameters& ways, const Setting& setting) {
    for (std::size_t i = 0; i < ways.candidates.size(); ++i)
      if (ways.candidates[i].competes && ways.calls.points[i])
        simulations_.want(*ways.calls.points[i], settling_key(setting, setting.sides.front()),
                          [&ways, i](const Latencies& latencies_s) {
                            ways.times_s[i] = run_medians(latencies_s);
                          });
  }

  // Empty if there is no default to compare with.
  Result<ByParameters> find_ways(const Setting& setting) const {
    if (!setting.sides.front().skipped.empty()) return ByParameters{};
    ByParameters ways;
    ways.candidates = select::list_candidates(setting.collective, spec_.parameters);
    ways.times_s.resize(ways.candidates.size());
    ways.calls = TUTTI_TRY(select::make_calls(setting.collective, ways.candidates,
                                              {.procs = setting.procs,
                                               .message_bytes = setting.message_bytes,
                                               .inside = spec_.spec.selection},
                                              setting.sides.front().point, machine_));
    return ways;
  }

  static void take_parameters(const ByParameters& ways, TunedSetting& tuned) {
    for (std::size_t i = 0; i < ways.candidates.size(); ++i) {
      if (ways.times_s[i].empty()) continue;
      const Seconds time_s = median_of(ways.times_s[i]);
      if (tuned.parameters_s && time_s >= *tuned.parameters_s) continue;
      tuned.parameters_s = time_s;
      tuned.parameters = label(ways.candidates[i]);
    }
  }

  const TuningSpec& spec_;
  const platforms::Machine& machine_;
  const RunPoints& run_;
  Simulations simulations_;
  Tuner tuner_;
  TuningResult result_;
};

}  // namespace

bool Tuner::improve(const std::vector<Setting>& measured) {
  choices_.resize(measured.size());
  std::erase_if(omitted_, [&](const Omitted& omitted) {
    return !cyclic_.contains({omitted.setting, omitted.mockup});
  });
  const auto before = chosen_mockups();
  consider(measured);
  break_cycles(measured);
  return before != chosen_mockups();
}

std::vector<const Mockup*> Tuner::chosen_mockups() const {
  std::vector<const Mockup*> mockups;
  for (const Choice& choice : choices_) mockups.push_back(choice.mockup);
  return mockups;
}

void Tuner::omit(Omitted which) {
  const auto same = [&](const Omitted& other) {
    return other.setting == which.setting && other.mockup == which.mockup;
  };
  if (std::ranges::none_of(omitted_, same)) omitted_.push_back(std::move(which));
}

void Tuner::consider(const std::vector<Setting>& measured) {
  std::map<std::size_t, Choice> best;
  for (const Comparison& comparison : comparisons(measured, thresholds_)) {
    const auto setting = static_cast<std::size_t>(comparison.setting - measured.data());
    const Mockup* mockup = comparison.side->mockup;
    if (!comparison.replaceable || !has_profile(*comparison.setting)) continue;
    if (cyclic_.contains({setting, mockup})) continue;
    if (!limits_.hold(comparison.extra)) {
      omit({setting, mockup, comparison.relative, exceeded_limit(comparison.extra, limits_)});
      continue;
    }
    Choice& choice = best[setting];
    if (choice.mockup == nullptr || comparison.relative < choice.relative)
      choice = {mockup, comparison.relative};
  }
  for (const auto& [setting, choice] : best) choices_[setting] = choice;
}

void Tuner::break_cycles(const std::vector<Setting>& measured) {
  while (true) {
    const auto chosen = chosen_mockups();
    const auto cycle = Calls(measured, chosen).cycle();
    if (cycle.empty()) return;
    const auto weakest = *std::ranges::max_element(
        cycle, {}, [&](std::size_t setting) { return choices_[setting].relative; });
    Choice& choice = choices_[weakest];
    std::string others;
    for (const auto setting : cycle)
      if (setting != weakest)
        others += fmt::format("{}{}", others.empty() ? "" : ", ", chosen[setting]->algorithm.name);
    omit({weakest, choice.mockup, choice.relative,
          fmt::format("its calls form a cycle with {}", others)});
    cyclic_.insert({weakest, choice.mockup});
    choice = {};
    consider(measured);
  }
}

Profiles Tuner::profiles(const std::vector<Setting>& settings) const {
  Profiles profiles{{}, limits_};
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const Setting& setting = settings[i];
    const Mockup* mockup = choices_[i].mockup;
    if (mockup == nullptr) continue;
    if (profiles.find(setting.collective, setting.procs) == nullptr)
      profiles.all.push_back({.notes = {},
                              .collective = setting.collective,
                              .procs = setting.procs,
                              .mockups = {},
                              .ranges = {}});
    Profile& profile = profiles.all.back();
    if (std::ranges::find(profile.mockups, mockup->id, &Profile::Listed::id) ==
        profile.mockups.end())
      profile.mockups.push_back({mockup->id, mockup});
    profile.ranges.push_back({setting.message_bytes, setting.message_bytes, mockup->id});
  }
  for (Profile& profile : profiles.all)
    std::ranges::sort(profile.mockups, {}, &Profile::Listed::id);
  return profiles;
}

Result<TuningResult> tune(const TuningSpec& spec, const platforms::Machine& machine,
                          std::vector<Setting> settings, const RunPoints& run) {
  return Tuning(spec, machine, run).tune(std::move(settings));
}

}  // namespace tutti::studies::guidelines
