// SPDX-License-Identifier: BSD-3-Clause
// The times of pieces of computation under a hypothesis.
#pragma once

#include "sim/replay/trace_scan.hpp"

namespace tutti::studies::replay {

// Computation of one rank. Pieces are processed in order, each with its frame on top of the stack.
class Computation {
 public:
  // All arguments must outlive this object. `cpu_factor` multiplies every piece.
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

  // The piece without the measurement overhead.
  Ticks compensated(Ticks piece) const { return rule_.compensated(piece); }
  // The new time of a compensated piece.
  Ticks changed(Ticks piece, Frame& frame) {
    Ticks now = piece;
    if (frame.parts != 0 && piece >= rule_.latency) now = by_parts(piece, frame);
    return cpu_factor_ == 1 ? now : rounded(static_cast<double>(now) * cpu_factor_);
  }

  // Begins the frame's instance.
  void enter(Frame& frame);

  // The new size of the next message that the rank sends, which has `bytes` in the trace.
  std::uint64_t message_bytes(std::uint64_t bytes);

  // Whether a piece or a message exceeded the representable range and was limited to it.
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
  // Load of the last instance that message sizes follow.
  Ticks load_recorded_ = 0;
  Ticks load_now_ = 0;
  std::vector<std::size_t> instances_;  // number of instances that have begun, by balance
};

}  // namespace tutti::studies::replay
