// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/cycle_choice.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tutti::io_models {
namespace {

// The first cycle of a run differs from those that follow; the third and later ones do not, if the
// run is steady: the last two differences tell.
constexpr std::int64_t simulated_of_run = 5;
constexpr std::int64_t least_window_cycles = 8;  // of several
constexpr std::int64_t most_windows = 4;

// Of all aggregators.
struct Pattern {
  std::vector<Transfer> messages;
  std::vector<Extent> accesses;  // begins as places among the targets
  bool operator==(const Pattern&) const = default;
};
Pattern pattern_of(const Redistribution& redistribution, std::int64_t cycle, Bytes period) {
  Pattern pattern;
  for (int i = 0; i < redistribution.aggregators(); ++i) {
    redistribution.transfers(i, cycle, pattern.messages);
    if (period == 0) continue;
    const std::size_t first = pattern.accesses.size();
    redistribution.file_extents(i, cycle, pattern.accesses);
    for (std::size_t at = first; at < pattern.accesses.size(); ++at) {
      Extent& access = pattern.accesses[at];
      access = {access.begin % period, access.begin % period + access.bytes()};
    }
  }
  return pattern;
}

bool runs_ahead(const Pattern& pattern, Bytes most_bytes) {
  return std::ranges::any_of(pattern.messages,
                             [&](const Transfer& each) { return each.bytes <= most_bytes; });
}

std::int64_t simulated_in(const CycleChoice& choice) {
  std::int64_t simulated = 0;
  for (const CycleRun& run : choice.runs) simulated += run.simulated;
  return simulated;
}

// A quarter of the work is worth a second job if the first one was in vain.
bool is_worth_it(const CycleChoice& choice, std::int64_t cycles) {
  return simulated_in(choice) * 4 <= cycles * 3;
}

}  // namespace

std::vector<std::int64_t> CycleChoice::cycles() const {
  std::vector<std::int64_t> cycles;
  for (const CycleRun& run : runs)
    for (std::int64_t i = 0; i < run.simulated; ++i)
      cycles.push_back(with_data ? with_data->at(run.first + i) : run.first + i);
  return cycles;
}

std::int64_t CycleChoice::simulated_cycles() const {
  const std::int64_t simulated = simulated_in(*this);
  if (method == CycleMethod::sampled || !with_data) return simulated;
  return simulated + all_cycles - with_data->count();
}

std::int64_t messages_of_cycle(const Redistribution& redistribution, std::int64_t cycle) {
  return static_cast<std::int64_t>(pattern_of(redistribution, cycle, 0).messages.size());
}

namespace {

std::int64_t estimated_messages(const Redistribution& redistribution, const CyclesWithData& some) {
  std::int64_t most = 0;
  for (const std::int64_t place : std::set<std::int64_t>{0, some.count() / 2})
    if (place < some.count())
      most = std::max(most, messages_of_cycle(redistribution, some.at(place)));
  return most > 0 && some.count() > INT64_MAX / most ? INT64_MAX : most * some.count();
}

CycleChoice all_of(const Redistribution& redistribution,
                   std::shared_ptr<const CyclesWithData> some) {
  return {CycleMethod::all, {{0, some->count(), some->count()}}, redistribution.cycles(), some};
}

}  // namespace

std::int64_t estimated_messages(const Redistribution& redistribution) {
  return estimated_messages(redistribution, CyclesWithData(redistribution));
}

CycleChoice all_cycles(const Redistribution& redistribution) {
  const std::int64_t cycles = redistribution.cycles();
  return {CycleMethod::all, {{0, cycles, cycles}}, cycles};
}

CycleChoice repeated_cycles(const Redistribution& redistribution, const CycleLimits& limits) {
  const auto some = std::make_shared<const CyclesWithData>(redistribution);
  if (limits.empty_ones_count && some->count() < redistribution.cycles())
    return all_cycles(redistribution);
  CycleChoice choice{CycleMethod::repeated, {}, redistribution.cycles(), some};
  if (some->count() <= simulated_of_run ||
      estimated_messages(redistribution, *some) > limits.most_compared)
    return all_of(redistribution, some);
  Pattern previous;
  std::int64_t compared = 0;
  bool looked = false;
  for (std::int64_t place = 0; place < some->count(); ++place) {
    Pattern pattern = pattern_of(redistribution, some->at(place), limits.storage_period);
    if (choice.runs.empty() || pattern != previous) choice.runs.push_back({place, 0, 0});
    CycleRun& run = choice.runs.back();
    const bool is_simulated =
        run.count < simulated_of_run || runs_ahead(pattern, limits.runs_ahead_bytes);
    run.simulated += is_simulated ? 1 : 0;
    ++run.count;
    compared += static_cast<std::int64_t>(pattern.messages.size());
    if (compared > limits.first_compared && !std::exchange(looked, true) &&
        !is_worth_it(choice, place + 1))
      return all_of(redistribution, some);
    previous = std::move(pattern);
  }
  return is_worth_it(choice, some->count()) ? choice : all_of(redistribution, some);
}

CycleChoice sampled_cycles(const Redistribution& redistribution, const CycleLimits& limits) {
  const auto some = std::make_shared<const CyclesWithData>(redistribution);
  const std::int64_t cycles = some->count();
  const std::int64_t in_one = std::max<std::int64_t>(
      1, estimated_messages(redistribution, *some) / std::max<std::int64_t>(1, cycles));
  const bool all_count = limits.empty_ones_count && cycles < redistribution.cycles();
  if (limits.most_messages / in_one >= (all_count ? redistribution.cycles() : cycles))
    return all_count ? all_cycles(redistribution) : all_of(redistribution, some);
  CycleChoice choice{CycleMethod::sampled, {}, redistribution.cycles(), some};
  if (all_count || limits.most_messages / in_one < 2 || cycles < 2) return choice;
  const std::int64_t affordable = std::max<std::int64_t>(2, limits.most_sampled / in_one);
  const std::int64_t windows =
      std::clamp<std::int64_t>(affordable / least_window_cycles, 1, most_windows);
  const std::int64_t length = std::min(affordable, cycles) / windows;
  for (std::int64_t i = 0; i < windows; ++i) {
    const std::int64_t begin = i * cycles / windows;
    const std::int64_t end = (i + 1) * cycles / windows;
    choice.runs.push_back({begin + (end - begin - length) / 2, end - begin, length});
    if (runs_ahead(pattern_of(redistribution, some->at(choice.runs.back().first), 0),
                   limits.runs_ahead_bytes))
      return {CycleMethod::sampled, {}, redistribution.cycles(), some};
  }
  return choice;
}

}  // namespace tutti::io_models
