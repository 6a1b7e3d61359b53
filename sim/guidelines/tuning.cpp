// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/tuning.hpp"

namespace tutti::studies::guidelines {
namespace {

// What the library keeps in an int, and takes for a call with data.
bool has_profile(const Setting& setting) {
  return setting.message_bytes > 0 &&
         setting.message_bytes <= std::numeric_limits<std::int32_t>::max();
}

std::string why_no_room(const algorithms::guidelines::ExtraMemory& extra,
                        const BufferLimits& limits) {
  if (extra.int_bytes > limits.int_bytes)
    return fmt::format("count vectors of {} B, the buffer has {} B", extra.int_bytes,
                       limits.int_bytes);
  return fmt::format("{} B for vectors, the buffer has {} B", extra.message_bytes,
                     limits.message_bytes);
}

// Which chosen settings the mock-up of a setting calls.
class Calls {
 public:
  Calls(const std::vector<Setting>& settings, const std::vector<const Mockup*>& chosen)
      : settings_(settings), chosen_(chosen) {
    for (std::size_t i = 0; i < settings.size(); ++i)
      if (chosen[i] != nullptr)
        at_[{settings[i].collective, settings[i].procs, settings[i].message_bytes}] = i;
  }

  // A cycle, each calling the next, the last the first; empty: there is none.
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
    if (done_[setting]) return {};
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
  std::erase_if(left_out_, [&](const LeftOut& each) {
    return !cyclic_.contains({each.setting, each.mockup});
  });
  std::vector<const Mockup*> before;
  for (const Choice& each : choices_) before.push_back(each.mockup);
  consider(measured);
  break_cycles(measured);
  return !std::ranges::equal(before, choices_, {}, {}, &Choice::mockup);
}

void Tuner::leave_out(LeftOut which) {
  const auto same = [&](const LeftOut& each) {
    return each.setting == which.setting && each.mockup == which.mockup;
  };
  if (std::ranges::none_of(left_out_, same)) left_out_.push_back(std::move(which));
}

void Tuner::consider(const std::vector<Setting>& measured) {
  std::map<std::size_t, Choice> best;
  for (const Comparison& each : comparisons(measured, thresholds_)) {
    const auto setting = static_cast<std::size_t>(each.setting - measured.data());
    const Mockup* mockup = each.side->mockup;
    if (!each.replaceable || !has_profile(*each.setting)) continue;
    if (cyclic_.contains({setting, mockup})) continue;
    if (!limits_.hold(each.extra)) {
      leave_out({setting, mockup, each.relative, why_no_room(each.extra, limits_)});
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
    leave_out(
        {weakest, choice.mockup, choice.relative, fmt::format("it makes a cycle with {}", others)});
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

}  // namespace tutti::studies::guidelines
