// SPDX-License-Identifier: BSD-3-Clause
// A time under noise, simulated again and again until its mean is known well enough: a 95 %
// confidence interval of Student's t within 2.5 % of the mean (Nuriyev, Lastovetsky, section 5.1).
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

inline constexpr double precise_enough = 0.025;
inline constexpr int least_repetitions = 5;
inline constexpr int most_repetitions = 1000;

struct PreciseTime {
  Seconds mean_s = 0;
  std::int64_t repetitions = 1;
  double half_width = 0;  // of the interval, as a part of the mean; 0: no noise

  bool is_precise() const { return half_width <= precise_enough; }
};

// Of at least two times.
PreciseTime mean_with_interval(std::span<const Seconds> times);

// `once(r)`: repetition r. Without noise one tells all. Stops at `most_repetitions` though the
// interval may be wider then.
Result<PreciseTime> precise_time(bool has_noise, const std::function<Result<Seconds>(int)>& once);

// How it travels from a child process.
Row row_of(const PreciseTime& time);
PreciseTime precise_time_in(const Row& row);

}  // namespace tutti::studies
