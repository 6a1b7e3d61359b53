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
    for (std::int64_t i = 0; i < run.simulated; ++i) cycles.push_back(run.first + i);
  return cycles;
}

std::int64_t messages_of_cycle(const Redistribution& redistribution, std::int64_t cycle) {
  return static_cast<std::int64_t>(pattern_of(redistribution, cycle, 0).messages.size());
}

std::int64_t estimated_messages(const Redistribution& redistribution) {
  const std::int64_t cycles = redistribution.cycles();
  std::int64_t most = 0;
  for (const std::int64_t cycle : std::set<std::int64_t>{0, cycles / 2})
    if (cycle < cycles) most = std::max(most, messages_of_cycle(redistribution, cycle));
  return most * cycles;
}

CycleChoice all_cycles(const Redistribution& redistribution) {
  const std::int64_t cycles = redistribution.cycles();
  return {CycleMethod::all, {{0, cycles, cycles}}, cycles};
}

CycleChoice repeated_cycles(const Redistribution& redistribution, const CycleLimits& limits) {
  CycleChoice choice{CycleMethod::repeated, {}, redistribution.cycles()};
  if (choice.all_cycles <= simulated_of_run ||
      estimated_messages(redistribution) > limits.most_compared)
    return all_cycles(redistribution);
  Pattern previous;
  std::int64_t compared = 0;
  bool looked = false;
  for (std::int64_t cycle = 0; cycle < choice.all_cycles; ++cycle) {
    Pattern pattern = pattern_of(redistribution, cycle, limits.storage_period);
    if (choice.runs.empty() || pattern != previous) choice.runs.push_back({cycle, 0, 0});
    CycleRun& run = choice.runs.back();
    const bool is_simulated =
        run.count < simulated_of_run || runs_ahead(pattern, limits.runs_ahead_bytes);
    run.simulated += is_simulated ? 1 : 0;
    ++run.count;
    compared += static_cast<std::int64_t>(pattern.messages.size());
    if (compared > limits.first_compared && !std::exchange(looked, true) &&
        !is_worth_it(choice, cycle + 1))
      return all_cycles(redistribution);
    previous = std::move(pattern);
  }
  return is_worth_it(choice, choice.all_cycles) ? choice : all_cycles(redistribution);
}

CycleChoice sampled_cycles(const Redistribution& redistribution, const CycleLimits& limits) {
  const std::int64_t cycles = redistribution.cycles();
  const std::int64_t in_one = std::max<std::int64_t>(
      1, estimated_messages(redistribution) / std::max<std::int64_t>(1, cycles));
  if (limits.most_messages / in_one >= cycles) return all_cycles(redistribution);
  CycleChoice choice{CycleMethod::sampled, {}, cycles};
  if (limits.most_messages / in_one < 2 || cycles < 2) return choice;
  const std::int64_t affordable = std::max<std::int64_t>(2, limits.most_sampled / in_one);
  const std::int64_t windows =
      std::clamp<std::int64_t>(affordable / least_window_cycles, 1, most_windows);
  const std::int64_t length = std::min(affordable, cycles) / windows;
  for (std::int64_t i = 0; i < windows; ++i) {
    const std::int64_t begin = i * cycles / windows;
    const std::int64_t end = (i + 1) * cycles / windows;
    choice.runs.push_back({begin + (end - begin - length) / 2, end - begin, length});
    if (runs_ahead(pattern_of(redistribution, choice.runs.back().first, 0),
                   limits.runs_ahead_bytes))
      return {CycleMethod::sampled, {}, cycles};
  }
  return choice;
}

}  // namespace tutti::io_models
