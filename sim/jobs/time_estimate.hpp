// SPDX-License-Identifier: BSD-3-Clause
// Estimates how long a simulation takes before it starts.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::jobs {

// Time to simulate a message that does not compete with others, in seconds on a core of 2024.
inline constexpr Seconds message_cost_s = 2e-6;

// Estimates the time of the point's simulations on one core, in seconds; 0 if none is run. The
// estimate takes microseconds, except for exchanges with many messages in flight, whose routes are
// examined.
Seconds estimated_seconds(const Point& point, const platforms::Machine& machine);

// The sums of the times that finished simulations took, and of their estimates, in seconds.
struct FinishedWork {
  Seconds estimated_s = 0;
  Seconds took_s = 0;

  void add(Seconds estimated, Seconds took) {
    estimated_s += estimated;
    took_s += took;
  }
  // The factor that corrects the estimates of the remaining work, whose sum `left_s` is above 0. A
  // tenth of that work counts as finished in its estimated time, because a few short points prove
  // little.
  double ratio(Seconds left_s) const {
    const Seconds prior_s = left_s / 10;
    return (took_s + prior_s) / (estimated_s + prior_s);
  }
};

// "4.3 billion messages, which take 1.2 hours at about a million per second".
std::string time_in_full(const Point& point);
// Returns the same text for a point with more than two billion messages; unset for other points.
std::optional<std::string> many_messages_warning(const Point& point);
// "the simulation of 6 points takes about 4 minutes on 2 cores"; unset for less than a minute.
std::optional<std::string> long_run_warning(std::size_t points, Seconds estimated_s, int jobs);

// Returns a note for a point that has more than a million messages in total because it is simulated
// several times, since it may depend on its start (starts.hpp): how often, and how to simulate it
// once.
std::optional<std::string> starts_note(const Point& point, const platforms::Machine& machine);

}  // namespace tutti::jobs
