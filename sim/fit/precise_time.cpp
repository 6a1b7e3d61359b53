// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/precise_time.hpp"

#include <boost/math/distributions/students_t.hpp>

namespace tutti::studies {

double student_t_95(double degrees_of_freedom) {
  constexpr double two_sided_95 = 0.975;
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), two_sided_95);
}

PreciseTime mean_with_interval(std::span<const Seconds> times) {
  TUTTI_CHECK(times.size() > 1, "an interval needs at least two times");
  const auto n = static_cast<double>(times.size());
  double sum = 0, squares = 0;
  for (const Seconds each : times) sum += each;
  const double mean = sum / n;
  for (const Seconds each : times) squares += (each - mean) * (each - mean);
  const double deviation = std::sqrt(squares / (n - 1));
  const double half = student_t_95(n - 1) * deviation / std::sqrt(n);
  return {.mean_s = mean,
          .repetitions = static_cast<std::int64_t>(times.size()),
          .half_width = mean > 0 ? half / mean : 0};
}

Result<PreciseTime> precise_time(bool has_noise, const std::function<Result<Seconds>(int)>& once) {
  std::vector<Seconds> times;
  for (int repetition = 0; repetition < most_repetitions; ++repetition) {
    const auto time_s = TUTTI_TRY(once(repetition));
    if (!has_noise) return PreciseTime{.mean_s = time_s};
    times.push_back(time_s);
    if (repetition + 1 < least_repetitions) continue;
    if (const auto mean = mean_with_interval(times); mean.is_precise()) return mean;
  }
  return mean_with_interval(times);
}

Row row_of(const PreciseTime& time) {
  return {
      {"time_s", time.mean_s}, {"repetitions", time.repetitions}, {"half_width", time.half_width}};
}

PreciseTime precise_time_in(const Row& row) {
  const auto number = [&](std::string_view name) { return number_of(cell_in(row, name)).value(); };
  return {.mean_s = number("time_s"),
          .repetitions = static_cast<std::int64_t>(number("repetitions")),
          .half_width = number("half_width")};
}

}  // namespace tutti::studies
