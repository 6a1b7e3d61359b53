// SPDX-License-Identifier: BSD-3-Clause
// Measures the cost of a simulation in the child that runs it.
#pragma once

#include <chrono>
#include <fstream>

#include "sim/jobs/child_process.hpp"
#include "sim/jobs/memory_estimate.hpp"

namespace tutti::jobs {

// Sets the peak memory of this process to its current memory, so that a later peak is not that of
// an earlier simulation. Without effect if the system does not support it.
inline void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << 5; }

// Calls `work`, which returns a Result of an answer, and fills wall_s (in seconds, with `before_s`
// added) and peak_rss_bytes of the answer's record. Exceptions of `work` become errors.
template <class Work>
auto measured(const Work& work, Seconds before_s) -> decltype(work()) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  auto result = guarded(work);
  if (!result) return result;
  const std::chrono::duration<Seconds> passed = Clock::now() - start;
  result->record.wall_s = before_s + passed.count();
  std::ifstream status("/proc/self/status");
  result->record.peak_rss_bytes = proc_bytes(status, "VmHWM:");  // unset if /proc has no value
  return result;
}

}  // namespace tutti::jobs
