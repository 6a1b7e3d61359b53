// SPDX-License-Identifier: BSD-3-Clause
// Repeats the simulation of a time under noise until the 95 % confidence interval of its mean
// (Student's t) is within 2.5 % of the mean (Nuriyev and Lastovetsky 2020, section 5.1).
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

inline constexpr double precise_enough = 0.025;
inline constexpr int least_repetitions = 5;
inline constexpr int most_repetitions = 1000;

struct PreciseTime {
  Seconds mean_s = 0;
  std::int64_t repetitions = 1;
  double half_width = 0;  // of the interval, relative to the mean; 0: no noise

  bool is_precise() const { return half_width <= precise_enough; }
};

// Returns Student's t at 97.5 %: the half-width of a 95 % interval in standard errors.
double student_t_95(double degrees_of_freedom);

// Requires at least two times.
PreciseTime mean_with_interval(std::span<const Seconds> times);

// `once(r)` simulates repetition r. Without noise one repetition is enough. Stops after
// `most_repetitions` even if the interval is wider.
Result<PreciseTime> precise_time(bool has_noise, const std::function<Result<Seconds>(int)>& once);

// Conversion to and from the row that a child process returns.
Row row_of(const PreciseTime& time);
PreciseTime precise_time_in(const Row& row);

}  // namespace tutti::studies
