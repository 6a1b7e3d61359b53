// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/sampled_time.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/check.hpp"

namespace tutti::io_models {
namespace {

// Fitted to random jobs (tests/slow/io_sampling_coverage_test.cpp draws others).
constexpr double error_scale = 1.4;
constexpr double least_error = 0.035;  // of one window
constexpr double drift_scale = 2.2;

// Student's t for 68.3 %, by degrees of freedom from 1 on.
constexpr double student_t[] = {1.837, 1.321, 1.197, 1.142, 1.111};

// The steps of a window whose pace counts.
struct Window {
  std::int64_t first = 0;
  std::int64_t last = 0;

  std::int64_t cycles() const { return last - first + 1; }
  // The first step of the second half, but that there is a step after it.
  std::int64_t middle() const {
    return std::min(first + std::max<std::int64_t>(1, cycles() / 2) - 1, last - 1);
  }
};

// The job's last cycle may be a partial one: it has a pace of its own where others are left.
std::vector<Window> windows_of(const CycleChoice& choice) {
  std::vector<Window> windows;
  std::int64_t first = 0;
  for (const CycleRun& run : choice.runs) {
    windows.push_back({first, first + run.simulated - 1});
    first += run.simulated;
  }
  if (windows.back().cycles() > 2) --windows.back().last;
  return windows;
}

class Paces {
 public:
  Paces(std::span<const Window> windows, std::span<const Seconds> ends_s) {
    for (const Window& each : windows) {
      const auto pace = [&](std::int64_t from, std::int64_t to) {
        return (ends_s[to] - ends_s[from]) / static_cast<double>(to - from);
      };
      of_window_.push_back(pace(each.middle(), each.last));
      early_s_ += pace(each.first, std::max(each.middle(), each.first + 1)) / size(windows);
    }
    mean_s_ = std::accumulate(of_window_.begin(), of_window_.end(), 0.0) / size(of_window_);
  }

  Seconds of_window(std::size_t window) const { return of_window_[window]; }
  Seconds mean_s() const { return mean_s_; }

  Seconds standard_error_s() const {
    double squares = 0;
    for (const Seconds each : of_window_) squares += (each - mean_s_) * (each - mean_s_);
    const std::size_t freedom = of_window_.size() - 1;
    return student_t[std::min(freedom, std::size(student_t)) - 1] *
           std::sqrt(squares / static_cast<double>(freedom) / size(of_window_));
  }
  Seconds drift_s() const { return std::abs(mean_s_ - early_s_); }
  Seconds trend_s() const {
    const double middle = (size(of_window_) - 1) / 2;
    double products = 0;
    double squares = 0;
    for (std::size_t i = 0; i < of_window_.size(); ++i) {
      const double place = static_cast<double>(i) - middle;
      products += place * (of_window_[i] - mean_s_);
      squares += place * place;
    }
    return std::abs(products / squares) * size(of_window_) / 2;
  }

 private:
  template <class Range>
  static double size(const Range& range) {
    return static_cast<double>(range.size());
  }

  std::vector<Seconds> of_window_;
  Seconds mean_s_ = 0;
  Seconds early_s_ = 0;  // of first halves, on average
};

}  // namespace

SampledTime sampled_time(const CycleChoice& choice, const SampledEnds& ends) {
  const auto& ends_s = ends.of_step;
  const std::vector<Window> windows = windows_of(choice);
  TUTTI_CHECK(windows.size() >= 3, "an error is estimated from three windows or more");
  const std::span<const Window> others = std::span(windows).subspan(1);
  const Paces paces(others, ends_s);
  SampledTime all{.end_s =
                      ends_s[windows.front().last] + ends.last_s - ends_s[windows.back().last]};
  std::int64_t cycles = 0;
  for (const CycleRun& run : choice.runs) cycles += run.count - run.simulated;
  for (std::size_t i = 0; i < others.size(); ++i)
    all.end_s += static_cast<double>(others[i].cycles()) * paces.of_window(i);
  const auto left_out = static_cast<double>(cycles);
  all.end_s += left_out * paces.mean_s();
  const double relative = left_out / all.end_s;
  all.error =
      error_scale * (ends.has_few_sources ? drift_scale : 1) *
      std::hypot(std::hypot(paces.standard_error_s() * relative, paces.drift_s() * relative),
                 std::hypot(paces.trend_s() * relative,
                            least_error / std::sqrt(static_cast<double>(others.size()))));
  return all;
}

}  // namespace tutti::io_models
