// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/extrapolation.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::io_models {
namespace {

// Dates are sums of thousands of terms: what they differ by in their last digits.
constexpr double tolerance = 1e-11;

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

bool close(Seconds a, Seconds b, Seconds date_s) { return std::abs(a - b) <= tolerance * date_s; }

bool takes_part(const AggregatorTimes& times, std::int64_t step) {
  return step < static_cast<std::int64_t>(times.at_end_of.size()) &&
         times.at_end_of[step].end_s > 0;
}

// When the aggregator's part of a step is over: for itself, and for those that it sent data to.
Seconds over_s(const AggregatorTimes& times, std::int64_t step) {
  const Seconds end_s = times.at_end_of[step].end_s;
  return times.arrived_s.empty() ? end_s : std::max(end_s, times.arrived_s[step]);
}

// The time from cycle to cycle in a run whose last simulated step is `last`, the same for all
// aggregators, for the ranks that get their data, and in the last two steps; nothing if it is not.
std::optional<Seconds> period(const std::vector<AggregatorTimes>& times, std::int64_t last) {
  std::optional<Seconds> period_s;
  const auto agrees = [&](Seconds took_s, Seconds date_s) {
    if (!period_s) period_s = took_s;
    return close(took_s, *period_s, date_s);
  };
  for (const AggregatorTimes& each : times) {
    if (!takes_part(each, last)) continue;
    const auto& at = each.at_end_of;
    for (const std::int64_t step : {last - 1, last}) {
      const Seconds date_s = over_s(each, step);
      if (!agrees(at[step].end_s - at[step - 1].end_s, date_s) ||
          !agrees(date_s - over_s(each, step - 1), date_s))
        return std::nullopt;
    }
  }
  return period_s;
}

// The first and the last end of a step.
struct Ends {
  Seconds first_s = 0;
  Seconds last_s = 0;
};
Ends ends_of(const std::vector<AggregatorTimes>& times, std::int64_t step) {
  Ends ends{.first_s = -1};
  for (const AggregatorTimes& each : times) {
    if (!takes_part(each, step)) continue;
    const Seconds end_s = over_s(each, step);
    ends.first_s = ends.first_s < 0 ? end_s : std::min(ends.first_s, end_s);
    ends.last_s = std::max(ends.last_s, end_s);
  }
  return ends;
}

// What was left out of a run is added to all that comes after it.
std::optional<IoTimes> from_repeated(const CycleChoice& choice,
                                     const std::vector<AggregatorTimes>& times, Seconds end_s) {
  IoTimes all;
  all.end_s = end_s;
  for (const AggregatorTimes& each : times) all.spent.push_back(each.now);
  std::int64_t first = 0;
  for (const CycleRun& run : choice.runs) {
    const std::int64_t last = first + run.simulated - 1;
    const auto left_out = static_cast<double>(run.count - run.simulated);
    if (left_out > 0) {
      const auto period_s = period(times, last);
      // Nobody may have been busy with the next run while this one went through its first steps.
      const bool overlaps = last + 1 < static_cast<std::int64_t>(choice.cycles().size()) &&
                            ends_of(times, last + 1).first_s < ends_of(times, last - 1).last_s;
      if (!period_s || overlaps) return std::nullopt;
      all.end_s += left_out * *period_s;
      for (std::size_t i = 0; i < times.size(); ++i)
        if (takes_part(times[i], last))
          add(all.spent[i], left_out, times[i].at_end_of[last] - times[i].at_end_of[last - 1]);
        else if (times[i].now.end_s > ends_of(times, last).last_s)
          all.spent[i].end_s += left_out * *period_s;
    }
    first += run.simulated;
  }
  return all;
}

// What a cycle takes on average after step `first`, up to the end of step `last`.
Seconds mean_between(const std::vector<AggregatorTimes>& times, std::int64_t first,
                     std::int64_t last) {
  return (ends_of(times, last).last_s - ends_of(times, first).last_s) /
         static_cast<double>(last - first);
}

// The first step of a window does not count: the way from the window before disturbs it.
IoTimes from_sample(const CycleChoice& choice, const std::vector<AggregatorTimes>& times) {
  IoTimes all;
  std::vector<Seconds> means;
  std::int64_t first = 0;
  std::int64_t simulated = 0;
  for (const CycleRun& run : choice.runs) {
    const std::int64_t last = first + run.simulated - 1;
    const std::int64_t middle = (first + last) / 2;
    all.end_s += static_cast<double>(run.count) * mean_between(times, first, last);
    if (middle > first) means.push_back(mean_between(times, first, middle));
    means.push_back(mean_between(times, middle, last));
    first += run.simulated;
    simulated += run.simulated;
  }
  const auto [least, most] = std::ranges::minmax_element(means);
  if (means.size() > 1 && all.end_s > 0)
    all.spread = (*most - *least) / 2 / (all.end_s / static_cast<double>(choice.all_cycles));
  const double factor = static_cast<double>(choice.all_cycles) / static_cast<double>(simulated);
  for (const AggregatorTimes& each : times) {
    AggregatorSpent spent;
    add(spent, factor, each.now);
    all.spent.push_back(spent);
  }
  return all;
}

}  // namespace

std::optional<IoTimes> extrapolate(const CycleChoice& choice,
                                   const std::vector<AggregatorTimes>& times, Seconds end_s) {
  if (choice.method == CycleMethod::sampled) return from_sample(choice, times);
  return from_repeated(choice, times, end_s);
}

}  // namespace tutti::io_models
