// SPDX-License-Identifier: BSD-3-Clause
// Recurrence of the ranks' clocks for steps that all have the same peers: the end of a rank's step
// depends on the message of its left neighbor, its own last step and its right neighbor:
//   t[r] := max(t[from(r)] + a[r], t[r] + b[r], t[to(r)] + c[r])
// (a system linear in the max-plus algebra: Baccelli et al., Synchronization and Linearity, 1992).
// Without contention between neighbors this is what the protocol does; with contention, it applies
// once the ranks are in a steady state. The constants are learned from steps with recorded times,
// and verified on others.
#pragma once

#include "algorithms/step_sample.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/extrapolation/ring_steps.hpp"

namespace tutti::jobs::extrapolation {

// Kinds by step modulo the phase's period and by rank; ranks of one kind receive and send over
// equal routes.
using RankKinds = std::vector<std::vector<std::int32_t>>;

class Recurrence {
 public:
  Recurrence(const algorithms::StepPhase& phase, runtime::RankId procs);

  // Learns the largest constants that no recorded step from row `first` to row `last` contradicts.
  // With `kinds`, ranks of one kind share their constants.
  void learn(const algorithms::StepSample& sample, std::size_t phase, std::size_t first,
             std::size_t last, const RankKinds* kinds);

  // Which constants count as needed if several explain the end of a step.
  enum class Tie : std::uint8_t { own_step, neighbors };

  // Drops constants that no recorded step from row `first` to row `last` needs, since they may be
  // too large. The true times lie between the predictions with all constants and those with the
  // remaining ones, for any handling of ties.
  void keep_needed(const algorithms::StepSample& sample, std::size_t phase, std::size_t first,
                   std::size_t last, const RankKinds* kinds, Tie tie);

  // Computes the clocks at the end of step `last` from those at the end of step `first`.
  std::vector<Seconds> advance(std::span<const Seconds> clocks_s, std::int64_t first,
                               std::int64_t last) const;

  // Computes the same clocks, or lower ones for ranks that depend on their right neighbors, without
  // the steps. Unset if peers are not the neighbors in a ring.
  std::optional<std::vector<Seconds>> at_least(std::span<const Seconds> clocks_s,
                                               std::int64_t first, std::int64_t last) const;

  bool operator==(const Recurrence&) const = default;

 private:
  struct Constants {
    std::vector<runtime::RankId> from, to;  // by rank
    std::vector<Seconds> a, b, c;

    bool operator==(const Constants&) const = default;
  };

  void step(std::vector<Seconds>& clocks_s, std::vector<Seconds>& room, std::int64_t number) const;
  // Whether all peers are the ranks r - 1 and r + 1.
  bool has_neighbors_only() const;
  std::vector<RingConstants> around_the_ring() const;

  runtime::RankId procs_;
  std::vector<Constants> in_period_;  // by step modulo the period
};

}  // namespace tutti::jobs::extrapolation
