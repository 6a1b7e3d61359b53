// SPDX-License-Identifier: BSD-3-Clause
// How long pieces of computation take under a hypothesis.
#pragma once

#include "sim/replay/trace_scan.hpp"

namespace tutti::studies::replay {

// Of one rank. Pieces come in order, each with the frame that it belongs to on top.
class Computation {
 public:
  // All outlive it. `cpu_factor`: of every piece, hypothesis or not.
  Computation(const Hypothesis& hypothesis, const PartsOfRegions& parts, const TraceScan& scan,
              const BalanceTargets& targets, TraceRank rank, PieceRule rule, double cpu_factor)
      : hypothesis_(hypothesis),
        parts_(parts),
        scan_(scan),
        targets_(targets),
        rank_(rank),
        rule_(rule),
        cpu_factor_(cpu_factor),
        instances_(hypothesis.balances.size()) {}

  // Without what measuring took of it.
  Ticks compensated(Ticks piece) const { return rule_.compensated(piece); }
  // `piece` is compensated.
  Ticks changed(Ticks piece, Frame& frame) {
    Ticks now = piece;
    if (frame.parts != 0 && piece >= rule_.latency) now = by_parts(piece, frame);
    return cpu_factor_ == 1 ? now : rounded(static_cast<double>(now) * cpu_factor_);
  }

  // The frame's instance begins.
  void enter(Frame& frame);

  // What a message of so many bytes has now, which is sent next.
  std::uint64_t message_bytes(std::uint64_t bytes);

  // A piece or a message was longer than can be told: it was cut to that.
  bool is_beyond() const { return is_beyond_; }

 private:
  Ticks rounded(double ticks);
  Ticks by_parts(Ticks piece, Frame& frame);
  Ticks balanced(Ticks piece, std::size_t balance, Frame& frame);

  const Hypothesis& hypothesis_;
  const PartsOfRegions& parts_;
  const TraceScan& scan_;
  const BalanceTargets& targets_;
  TraceRank rank_;
  PieceRule rule_;
  double cpu_factor_;
  bool is_beyond_ = false;
  // Of the last instance that messages follow.
  Ticks load_recorded_ = 0;
  Ticks load_now_ = 0;
  std::vector<std::size_t> instances_;  // by balance: how many have begun
};

}  // namespace tutti::studies::replay
