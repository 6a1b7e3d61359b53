// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/cycle_choice.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace tutti::io_models {
namespace {

// The first cycle of a run differs from those that follow; the third and later ones do not, if the
// run is steady: the last two differences tell.
constexpr std::int64_t simulated_of_run = 5;
constexpr std::int64_t window_cycles = 4;
constexpr std::int64_t most_windows = 5;

std::vector<Transfer> all_transfers(const Redistribution& redistribution, std::int64_t cycle) {
  std::vector<Transfer> found;
  for (int i = 0; i < redistribution.aggregators(); ++i) redistribution.transfers(i, cycle, found);
  return found;
}

}  // namespace

std::vector<std::int64_t> CycleChoice::cycles() const {
  std::vector<std::int64_t> cycles;
  for (const CycleRun& run : runs)
    for (std::int64_t i = 0; i < run.simulated; ++i) cycles.push_back(run.first + i);
  return cycles;
}

std::int64_t messages_of_cycle(const Redistribution& redistribution, std::int64_t cycle) {
  return static_cast<std::int64_t>(all_transfers(redistribution, cycle).size());
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
  std::vector<Transfer> previous;
  for (std::int64_t cycle = 0; cycle < choice.all_cycles; ++cycle) {
    std::vector<Transfer> found = all_transfers(redistribution, cycle);
    if (choice.runs.empty() || found != previous) choice.runs.push_back({cycle, 0, 0});
    ++choice.runs.back().count;
    previous = std::move(found);
  }
  std::int64_t simulated = 0;
  for (CycleRun& run : choice.runs)
    simulated += run.simulated = std::min(run.count, simulated_of_run);
  // A quarter of the work is worth a second run if the first one was in vain.
  return simulated * 4 > choice.all_cycles * 3 ? all_cycles(redistribution) : choice;
}

CycleChoice sampled_cycles(const Redistribution& redistribution, const CycleLimits& limits) {
  const std::int64_t cycles = redistribution.cycles();
  const std::int64_t in_one = std::max<std::int64_t>(
      1, estimated_messages(redistribution) / std::max<std::int64_t>(1, cycles));
  const std::int64_t affordable = limits.most_messages / in_one;
  if (affordable >= cycles) return all_cycles(redistribution);
  const std::int64_t windows =
      std::clamp<std::int64_t>(affordable / window_cycles, 1, most_windows);
  const std::int64_t length = std::min(window_cycles, affordable);
  CycleChoice choice{CycleMethod::sampled, {}, cycles};
  if (length < 2 || cycles < windows * window_cycles) return choice;
  for (std::int64_t i = 0; i < windows; ++i) {
    const std::int64_t begin = i * cycles / windows;
    const std::int64_t end = (i + 1) * cycles / windows;
    choice.runs.push_back({begin + (end - begin - length) / 2, end - begin, length});
  }
  return choice;
}

}  // namespace tutti::io_models
