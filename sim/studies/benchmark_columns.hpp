// SPDX-License-Identifier: BSD-3-Clause
// What records of collectives and of collective I/O say of a benchmark and its repetitions.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "workloads/benchmark.hpp"

namespace tutti::studies {

template <class Record>
void describe_benchmark(const workloads::Benchmark& benchmark, Record& record) {
  record.repetitions = benchmark.repetitions_run();
  if (benchmark.skew.kind != workloads::SkewSpec::Kind::none)
    record.skew = workloads::format_skew(benchmark.skew);
  if (benchmark.noise.kind != runtime::Noise::Kind::none)
    record.noise = workloads::format_noise(benchmark.noise);
}

// Of several repetitions; one has no least and no most.
template <class Record>
void add_repetitions(const std::vector<Seconds>& latencies, Record& record) {
  if (latencies.size() == 1) return;
  const auto [least, most] = std::ranges::minmax(latencies);
  record.repetition_min_s = least;
  record.repetition_max_s = most;
  const double sum_s = std::accumulate(latencies.begin(), latencies.end(), 0.0);
  // Rounding must not put the mean of equal times above them.
  record.repetition_mean_s = std::clamp(sum_s / static_cast<double>(latencies.size()), least, most);
}

}  // namespace tutti::studies
