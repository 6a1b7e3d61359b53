// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/extrapolation/uneven_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/studies/extrapolation/repeated_steps.hpp"

namespace tutti::studies::extrapolation {
namespace {

using algorithms::StepPhase;

// The same with a vector of equal blocks; nothing: that is another algorithm.
Result<std::optional<Extrapolated>> of_equal_blocks(const StepJob& job, Bytes block_bytes,
                                                    std::int64_t most_messages) {
  Point point = job.point;
  point.call.args.message_bytes = block_bytes * job.procs();
  const StepJob even{point, job.machine, job.placement, phases_of(point), job.watcher};
  if (even.phases.size() != job.phases.size() || has_uneven_blocks(even.phases))
    return std::optional<Extrapolated>();
  return of_repeated_steps(even, {.most_messages = most_messages, .must_extrapolate = true});
}

double apart(const Extrapolated& one, const Extrapolated& other) {
  return std::max({std::abs(one.time_s - other.time_s),
                   std::abs(one.time_mean_s - other.time_mean_s),
                   std::abs(one.time_min_s - other.time_min_s)}) /
         one.time_s;
}

}  // namespace

bool has_uneven_blocks(const std::vector<StepPhase>& phases) {
  return std::ranges::any_of(phases,
                             [](const StepPhase& phase) { return phase.block_bytes != nullptr; });
}

Result<Extrapolated> of_uneven_blocks(const StepJob& job, std::int64_t most_messages) {
  const StepPhase& whole_blocks = job.phases.back();
  const auto block_bytes = [&](std::int64_t block) {
    return whole_blocks.block_bytes ? whole_blocks.block_bytes(block) : whole_blocks.message_bytes;
  };
  const Bytes longest = whole_blocks.message_bytes;
  const Bytes shortest =
      std::max<Bytes>(block_bytes(job.procs() - 1), job.point.call.args.element_bytes);
  const auto long_ring = TUTTI_TRY(of_equal_blocks(job, longest, most_messages));
  const auto short_ring = TUTTI_TRY(of_equal_blocks(job, shortest, most_messages));
  if (!long_ring || !short_ring) return Extrapolated{.method = {}, .error = 1, .counts = {}};

  std::int64_t shorter = 0;
  for (std::int64_t block = 0; block < job.procs(); ++block)
    shorter += block_bytes(block) < longest ? 1 : 0;
  const double off = apart(*long_ring, *short_ring);
  // A few short blocks save their own steps, and one of those who wait for them.
  const double if_few = (2 * off * static_cast<double>(shorter) + 1) / job.procs();

  const auto counted = TUTTI_TRY(run(job, first_steps_of(job, 1)));
  Extrapolated told = *long_ring;
  told.method = "equal_blocks";
  told.error = std::max({told.error, (short_ring)->error, std::min(off, if_few)});
  told.counts = counts_of_all(job, counted);
  told.simulated_steps += (short_ring)->simulated_steps + counted.simulated_steps(job);
  return told;
}

}  // namespace tutti::studies::extrapolation
