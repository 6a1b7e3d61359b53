// SPDX-License-Identifier: BSD-3-Clause
// The effect of balancing on programs with noise, by the formulas of SILAS's thesis, section 3.4.2.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/replay/replay.hpp"
#include "tests/support/replayed.hpp"

namespace tutti::tests {

using Durations = std::vector<std::vector<double>>;  // by rank, instance; ticks

// The duration of each foo, from these times of all events.
inline Durations takes_of_foo(const SyntheticTrace& of,
                              const std::vector<std::vector<workloads::traces::Ticks>>& times) {
  const auto events = events_of(of);
  Durations durations(events.size());
  for (std::size_t rank = 0; rank < events.size(); ++rank)
    for (std::size_t i = 0; i + 1 < events[rank].size(); ++i)
      if (events[rank][i].kind == EventKind::enter && events[rank][i].id == detail::in_foo)
        durations[rank].push_back(static_cast<double>(times[rank][i + 1] - times[rank][i]));
  return durations;
}

inline double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

inline double sum_of(const Durations& durations) {
  double sum = 0;
  for (const auto& rank : durations) sum += sum_of(rank);
  return sum;
}

inline Durations balanced(const Durations& durations, studies::replay::Balance::Mode mode) {
  using Mode = studies::replay::Balance::Mode;
  const auto ranks = static_cast<double>(durations.size());
  const auto count = static_cast<double>(durations.front().size());
  const double all = sum_of(durations);
  Durations result = durations;
  for (std::size_t rank = 0; rank < durations.size(); ++rank) {
    const double own = sum_of(durations[rank]);
    for (std::size_t i = 0; i < durations[rank].size(); ++i) {
      double nth = 0;
      for (const auto& each : durations) nth += each[i];
      if (mode == Mode::global_instance) result[rank][i] = nth / ranks;
      if (mode == Mode::process_local) result[rank][i] = own / count;
      if (mode == Mode::global) result[rank][i] = all / ranks / count;
      if (mode == Mode::scaled) result[rank][i] += (all / ranks - own) * durations[rank][i] / own;
    }
  }
  return result;
}

// The end of program lbcoll: foo, bar, and an allreduce that ends after the last rank's begin.
inline double end_of_lbcoll(const Durations& durations) {
  double end = detail::gap;
  for (std::size_t i = 0; i < durations.front().size(); ++i) {
    double slowest = 0;
    for (const auto& rank : durations) slowest = std::max(slowest, rank[i]);
    end += slowest + 300'000 + detail::C + 3 * detail::gap;
  }
  return end;
}

// Instances are where the formula predicts them, to the tick; ends differ by a tick per iteration.
inline void check_balance(const SyntheticTrace& of, studies::replay::Balance::Mode mode) {
  const auto trace = trace_of(of);
  KeptTimes recorded(of.ranks), kept(of.ranks);
  studies::replay::replay(trace, {}, &recorded);
  const auto result = studies::replay::replay(
      trace,
      {.hypothesis = {.balances = {{.region = "foo", .mode = mode}}}, .loggp = rule_of_programs()},
      &kept);
  const Durations before = takes_of_foo(of, recorded.times), after = takes_of_foo(of, kept.times);
  const Durations expected = balanced(before, mode);
  double farthest = 0;
  for (std::size_t rank = 0; rank < after.size(); ++rank)
    for (std::size_t i = 0; i < after[rank].size(); ++i)
      farthest = std::max(farthest, std::abs(after[rank][i] - expected[rank][i]));
  CHECK(farthest <= 0.501);  // rounded to ticks
  const auto instances = static_cast<double>(before.size() * before.front().size());
  CHECK(std::abs(sum_of(after) - sum_of(before)) <= instances);  // total is unchanged
  if (of.program == SyntheticProgram::lbcoll)
    CHECK(std::abs(static_cast<double>(result.end_after) - end_of_lbcoll(after)) <= 1);
}

}  // namespace tutti::tests
