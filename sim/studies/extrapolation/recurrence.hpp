// SPDX-License-Identifier: BSD-3-Clause
// How the ranks' clocks go on from step to step where every step has the same peers: a rank ends a
// step when the message from its left neighbour, its own last step and its right neighbour let it:
//   t[r] := max(t[from(r)] + a[r], t[r] + b[r], t[to(r)] + c[r])
// (a system linear in the max-plus algebra: Baccelli et al., Synchronization and Linearity, 1992).
// Without contention between neighbours this is what the protocol does; with it, it holds where the
// ranks have found a rhythm. It is learned from dated steps, and proven by others.
#pragma once

#include "algorithms/step_sample.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies::extrapolation {

// By step modulo the phase's period, by rank: ranks of one kind get and send over like routes.
using RankKinds = std::vector<std::vector<std::int32_t>>;

class Recurrence {
 public:
  Recurrence(const algorithms::StepPhase& phase, runtime::RankId procs);

  // The greatest constants that no dated step from row `first` to row `last` contradicts. With
  // kinds, one for all ranks of a kind.
  void learn(const algorithms::StepSample& sample, std::size_t phase, std::size_t first,
             std::size_t last, const RankKinds* kinds);

  // Of a step that is as late as it is for several constants, those that are believed.
  enum class Tie : std::uint8_t { own_step, neighbors };

  // Leaves out the constants that no dated step from row `first` to row `last` needs to be as late
  // as it is: they may be too great. What all of them foretell, and what is foretold by what is
  // left, however ties are broken, is the truth, or on either side of it.
  void keep_needed(const algorithms::StepSample& sample, std::size_t phase, std::size_t first,
                   std::size_t last, const RankKinds* kinds, Tie tie);

  // The clocks at the end of step `last`, from those at the end of step `first`.
  std::vector<Seconds> advance(std::span<const Seconds> clocks_s, std::int64_t first,
                               std::int64_t last) const;

 private:
  struct Constants {
    std::vector<runtime::RankId> from, to;  // by rank
    std::vector<Seconds> a, b, c;
  };

  void step(std::vector<Seconds>& clocks_s, std::vector<Seconds>& room, std::int64_t number) const;
  void steps_around(std::vector<Seconds>& clocks_s, std::vector<Seconds>& room,
                    std::int64_t count) const;

  runtime::RankId procs_;
  bool is_ring_;                      // of neighbours r - 1 and r + 1
  std::vector<Constants> in_period_;  // by step modulo the period
};

}  // namespace tutti::studies::extrapolation
