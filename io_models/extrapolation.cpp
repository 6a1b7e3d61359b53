// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/extrapolation.hpp"

#include <algorithm>

#include "io_models/sampled_time.hpp"
#include "io_models/steady_run.hpp"

namespace tutti::io_models {
namespace {

AggregatorSpent operator-(const AggregatorSpent& a, const AggregatorSpent& b) {
  return {a.end_s - b.end_s, a.shuffle_s - b.shuffle_s, a.storage_s - b.storage_s,
          a.waited_s - b.waited_s};
}

bool is_dated(const AggregatorTimes& times, std::int64_t step) {
  return step < static_cast<std::int64_t>(times.at_end_of.size()) &&
         times.at_end_of[step].end_s > 0;
}

// What an aggregator spends in the cycles of a run that are left out. One that waits for its own
// next messages meanwhile waits for so much longer.
AggregatorSpent left_out_of(const AggregatorTimes& times, int last, const Period& period) {
  AggregatorSpent each;
  if (is_dated(times, last) && is_dated(times, last - 1))
    each = times.at_end_of[last] - times.at_end_of[last - 1];
  if (each.end_s == 0 && times.now.end_s > period.end_s)
    each.end_s = each.shuffle_s = period.length_s();
  return each;
}

// What was left out of a run is added to all that comes after it.
std::optional<IoTimes> from_repeated(const SimulatedCycles& simulated) {
  const auto& times = *simulated.job.times;
  const SteadyRuns steady(simulated.choice, simulated.job, *simulated.dates);
  IoTimes all;
  all.end_s = simulated.end_s;
  for (const AggregatorTimes& each : times) all.spent.push_back(each.now);
  for (std::size_t run = 0; run < simulated.choice.runs.size(); ++run) {
    const auto left_out = static_cast<double>(simulated.choice.runs[run].left_out());
    if (left_out == 0) continue;
    const auto period = steady.period(run);
    if (!period) return std::nullopt;
    all.end_s += left_out * period->length_s();
    for (std::size_t i = 0; i < times.size(); ++i)
      add_spent(all.spent[i], left_out, left_out_of(times[i], steady.last_step(run), *period));
  }
  return all;
}

// By step: when all aggregators have ended it and those before it.
std::vector<Seconds> ends_of(const std::vector<AggregatorTimes>& times, std::int64_t steps) {
  std::vector<Seconds> ends_s;
  Seconds latest_s = 0;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (const AggregatorTimes& each : times)
      if (is_dated(each, step)) latest_s = std::max(latest_s, each.at_end_of[step].end_s);
    ends_s.push_back(latest_s);
  }
  return ends_s;
}

IoTimes from_sample(const SimulatedCycles& simulated) {
  const auto& times = *simulated.job.times;
  const auto ends_s = ends_of(times, simulated.job.schedule->steps());
  const Legs& messages = simulated.job.schedule->messages();
  const bool has_few_sources = 2 * messages.busy_ranks() < messages.busy_aggregators();
  const SampledTime told =
      sampled_time(simulated.choice, {ends_s, simulated.end_s, has_few_sources});
  IoTimes all{.spent = {}, .end_s = told.end_s, .sampling_error = told.error};
  for (const AggregatorTimes& each : times)
    add_spent(all.spent.emplace_back(), told.end_s / simulated.end_s, each.now);
  return all;
}

}  // namespace

std::optional<IoTimes> extrapolate(const SimulatedCycles& simulated) {
  if (simulated.choice.method == CycleMethod::all) {
    IoTimes all;
    all.end_s = simulated.end_s;
    for (const AggregatorTimes& each : *simulated.job.times) all.spent.push_back(each.now);
    return all;
  }
  if (simulated.choice.method == CycleMethod::sampled) return from_sample(simulated);
  return from_repeated(simulated);
}

}  // namespace tutti::io_models
