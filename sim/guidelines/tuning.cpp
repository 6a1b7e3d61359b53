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

std::string why_no_room(const algorithms::guidelines::ExtraMemory& extra,
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
      if (auto found = follow(setting); !found.empty()) return found;
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
      if (auto found = follow(next->second); !found.empty()) return found;
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

}  // namespace

bool Tuner::improve(const std::vector<Setting>& measured) {
  choices_.resize(measured.size());
  std::erase_if(omitted_, [&](const Omitted& each) {
    return !cyclic_.contains({each.setting, each.mockup});
  });
  std::vector<const Mockup*> before;
  for (const Choice& each : choices_) before.push_back(each.mockup);
  consider(measured);
  break_cycles(measured);
  return !std::ranges::equal(before, choices_, {}, {}, &Choice::mockup);
}

void Tuner::omit(Omitted which) {
  const auto same = [&](const Omitted& each) {
    return each.setting == which.setting && each.mockup == which.mockup;
  };
  if (std::ranges::none_of(omitted_, same)) omitted_.push_back(std::move(which));
}

void Tuner::consider(const std::vector<Setting>& measured) {
  std::map<std::size_t, Choice> best;
  for (const Comparison& each : comparisons(measured, thresholds_)) {
    const auto setting = static_cast<std::size_t>(each.setting - measured.data());
    const Mockup* mockup = each.side->mockup;
    if (!each.replaceable || !has_profile(*each.setting)) continue;
    if (cyclic_.contains({setting, mockup})) continue;
    if (!limits_.hold(each.extra)) {
      omit({setting, mockup, each.relative, why_no_room(each.extra, limits_)});
      continue;
    }
    Choice& choice = best[setting];
    if (choice.mockup == nullptr || each.relative < choice.relative)
      choice = {mockup, each.relative};
  }
  for (const auto& [setting, choice] : best) choices_[setting] = choice;
}

void Tuner::break_cycles(const std::vector<Setting>& measured) {
  while (true) {
    std::vector<const Mockup*> chosen;
    for (const Choice& each : choices_) chosen.push_back(each.mockup);
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

namespace {

constexpr int most_rounds = 5;

class Tuning {
 public:
  Tuning(const TuningSpec& spec, const platforms::Machine& machine, const RunPoints& run)
      : spec_(spec),
        machine_(machine),
        run_(run),
        simulations_(spec.spec.measuring),
        tuner_(spec.thresholds, spec.limits) {}

  Result<TuningFound> tune(std::vector<Setting> settings) {
    found_.settings = std::move(settings);
    auto goes_on = TUTTI_TRY(simulate(found_.settings));
    auto measured = found_.settings;
    while (goes_on && found_.rounds < most_rounds && tuner_.improve(measured)) {
      auto spec = spec_.spec;
      spec.selection = profiled(*spec.selection, tuner_.profiles(found_.settings));
      measured = TUTTI_TRY(settings_of(spec, machine_));
      goes_on = TUTTI_TRY(simulate(measured));
      found_.rounds += goes_on;
    }
    if (!goes_on) return std::move(found_);
    found_.profiles = tuner_.profiles(found_.settings);
    found_.omitted = tuner_.omitted();
    note_remaining(measured);
    take(measured);
    if (auto errors = add_parameters(); !errors.empty()) return errors;
    return std::move(found_);
  }

 private:
  // Simulates the settings; false if the run was stopped or failed.
  Result<bool> simulate(std::vector<Setting>& settings) {
    want(settings, simulations_);
    return simulate_wanted();
  }
  Result<bool> simulate_wanted() {
    found_.last_run =
        TUTTI_TRY(guidelines::simulate_wanted(simulations_, spec_.spec, machine_, run_));
    return found_.last_run.code == 0;
  }

  // Mock-ups that do not fit into the buffers are listed as omitted instead.
  void note_remaining(const std::vector<Setting>& measured) {
    for (const auto& each : comparisons(measured, spec_.thresholds)) {
      if (!each.replaceable || !spec_.limits.hold(each.extra)) continue;
      if (each.setting->message_bytes == 0) continue;
      found_.remaining.push_back(fmt::format("{} of {} by {}", each.setting->collective,
                                             format_bytes(each.setting->message_bytes),
                                             each.side->mockup->algorithm.name));
    }
  }

  void take(const std::vector<Setting>& measured) {
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const auto& by_default = found_.settings[i].sides.front();
      const auto& tuned = measured[i].sides.front();
      auto& row = found_.tuned.emplace_back();
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
    for (const Setting& setting : found_.settings) {
      auto ways = TUTTI_TRY(ways_of(setting));
      found_.too_large += ways.calls.too_large;
      all.push_back(std::move(ways));
    }
    for (std::size_t i = 0; i < all.size(); ++i) want_parameters(all[i], found_.settings[i]);
    TUTTI_TRY(simulate_wanted());
    for (std::size_t i = 0; i < all.size(); ++i) take_parameters(all[i], found_.tuned[i]);
    return {};
  }

  void want_parameters(ByParameters& ways, const Setting& setting) {
    for (std::size_t i = 0; i < ways.candidates.size(); ++i)
      if (ways.candidates[i].competes && ways.calls.points[i])
        simulations_.want(*ways.calls.points[i], settling_key(setting, setting.sides.front()),
                          [&ways, i](const Latencies& latencies_s) {
                            ways.times_s[i] = medians_of(latencies_s);
                          });
  }

  // Empty if there is no default to compare with.
  Result<ByParameters> ways_of(const Setting& setting) const {
    if (!setting.sides.front().skipped.empty()) return ByParameters{};
    ByParameters ways;
    ways.candidates = select::candidates_of(setting.collective, spec_.parameters);
    ways.times_s.resize(ways.candidates.size());
    ways.calls = TUTTI_TRY(select::calls_of(setting.collective, ways.candidates,
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
      tuned.parameters = label_of(ways.candidates[i]);
    }
  }

  const TuningSpec& spec_;
  const platforms::Machine& machine_;
  const RunPoints& run_;
  Simulations simulations_;
  Tuner tuner_;
  TuningFound found_;
};

}  // namespace

Result<TuningFound> tuned(const TuningSpec& spec, const platforms::Machine& machine,
                          std::vector<Setting> settings, const RunPoints& run) {
  return Tuning(spec, machine, run).tune(std::move(settings));
}

}  // namespace tutti::studies::guidelines
