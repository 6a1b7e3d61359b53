// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/nrep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace tutti::studies::guidelines {
namespace {

Seconds sum_of(std::span<const Seconds> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

bool is_below(std::span<const Seconds> latencies_s, double threshold) {
  const auto error = relative_standard_error(latencies_s);
  return error && *error < threshold;
}

Result<bool> measure(const NextLatency& next, int count, std::vector<Seconds>& latencies_s) {
  for (int i = 0; i < count; ++i) latencies_s.push_back(TUTTI_TRY(next()));
  return true;
}

}  // namespace

std::optional<double> relative_standard_error(std::span<const Seconds> latencies_s) {
  if (latencies_s.size() < 2) return std::nullopt;
  const auto count = static_cast<double>(latencies_s.size());
  const Seconds mean_s = sum_of(latencies_s) / count;
  double squares = 0;
  for (const Seconds each_s : latencies_s) squares += (each_s - mean_s) * (each_s - mean_s);
  if (squares == 0) return 0.0;
  return std::sqrt(squares / (count - 1) / count) / mean_s;
}

Result<Settling> settle(const NextLatency& next, const NrepRule& rule) {
  std::vector<Seconds> latencies_s;
  while (!is_below(latencies_s, rule.rse) && std::ssize(latencies_s) < rule.most)
    TUTTI_TRY(measure(next, 1, latencies_s));
  return Settling{.time_s = sum_of(latencies_s),
                  .repetitions = static_cast<int>(latencies_s.size()),
                  .settled = is_below(latencies_s, rule.rse)};
}

Result<Seconds> expected_latency(const NextLatency& next, const NrepRule& rule) {
  std::vector<Seconds> latencies_s;
  TUTTI_TRY(measure(next, rule.first_batch, latencies_s));
  if (!is_below(latencies_s, rule.rse_of_batch))
    TUTTI_TRY(measure(next, rule.second_batch, latencies_s));
  return std::ranges::min(latencies_s);
}

int repetitions_for(Seconds settling_s, Seconds expected_s, const NrepRule& rule) {
  const int most = std::max(rule.most, rule.least);
  if (expected_s <= 0) return rule.least;  // nothing to measure
  const double wanted = std::ceil(settling_s / expected_s);
  if (wanted >= most) return most;
  return std::max(static_cast<int>(wanted), rule.least);
}

}  // namespace tutti::studies::guidelines
