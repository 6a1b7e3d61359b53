// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/extrapolation.hpp"

#include <algorithm>

#include "io_models/steady_run.hpp"

namespace tutti::io_models {
namespace {

AggregatorSpent operator-(const AggregatorSpent& a, const AggregatorSpent& b) {
  return {a.end_s - b.end_s, a.shuffle_s - b.shuffle_s, a.storage_s - b.storage_s,
          a.waited_s - b.waited_s};
}
void add(AggregatorSpent& sum, double factor, const AggregatorSpent& more) {
  sum.end_s += factor * more.end_s;
  sum.shuffle_s += factor * more.shuffle_s;
  sum.storage_s += factor * more.storage_s;
  sum.waited_s += factor * more.waited_s;
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
      add(all.spent[i], left_out, left_out_of(times[i], steady.last_step(run), *period));
  }
  return all;
}

// When all aggregators have ended a step.
Seconds end_of(const std::vector<AggregatorTimes>& times, std::int64_t step) {
  Seconds end_s = 0;
  for (const AggregatorTimes& each : times)
    if (is_dated(each, step)) end_s = std::max(end_s, each.at_end_of[step].end_s);
  return end_s;
}

// What a cycle takes on average after step `first`, up to the end of step `last`.
Seconds mean_between(const std::vector<AggregatorTimes>& times, std::int64_t first,
                     std::int64_t last) {
  return (end_of(times, last) - end_of(times, first)) / static_cast<double>(last - first);
}

// The first step of a window does not count: the way from the window before disturbs it.
IoTimes from_sample(const CycleChoice& choice, const std::vector<AggregatorTimes>& times) {
  IoTimes all;
  std::vector<Seconds> means;
  std::int64_t first = 0;
  std::int64_t simulated = 0;
  std::int64_t with_data = 0;
  for (const CycleRun& run : choice.runs) {
    const std::int64_t last = first + run.simulated - 1;
    const std::int64_t middle = (first + last) / 2;
    all.end_s += static_cast<double>(run.count) * mean_between(times, first, last);
    if (middle > first) means.push_back(mean_between(times, first, middle));
    means.push_back(mean_between(times, middle, last));
    first += run.simulated;
    simulated += run.simulated;
    with_data += run.count;
  }
  const auto [least, most] = std::ranges::minmax_element(means);
  if (means.size() > 1 && all.end_s > 0)
    all.spread = (*most - *least) / 2 / (all.end_s / static_cast<double>(with_data));
  const double factor = static_cast<double>(with_data) / static_cast<double>(simulated);
  for (const AggregatorTimes& each : times) {
    AggregatorSpent spent;
    add(spent, factor, each.now);
    all.spent.push_back(spent);
  }
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
  if (simulated.choice.method == CycleMethod::sampled)
    return from_sample(simulated.choice, *simulated.job.times);
  return from_repeated(simulated);
}

}  // namespace tutti::io_models
