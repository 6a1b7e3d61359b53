// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/computation.hpp"

#include "sim/base/common.hpp"
#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

Ticks Computation::rounded(double ticks) {
  is_beyond_ |= std::abs(ticks) >= static_cast<double>(latest_time);
  return nearest_ticks(ticks);
}

void Computation::enter(Frame& frame) {
  each_part(frame.parts & parts_.balances(), [&](std::size_t part) {
    const std::size_t balance = part - hypothesis_.scales.size();
    frame.instance = instances_[balance]++;
    if (!hypothesis_.balances[balance].messages) return;
    load_recorded_ = scan_.instances[balance][rank_][frame.instance];
    load_now_ = targets_.targets[balance][rank_][frame.instance];
  });
}

std::uint64_t Computation::message_bytes(std::uint64_t bytes) {
  if (load_recorded_ == 0 || load_recorded_ == load_now_) return bytes;
  constexpr __int128 most = std::uint64_t{1} << 61;
  const __int128 now =
      (static_cast<__int128>(bytes) * load_now_ + load_recorded_ / 2) / load_recorded_;
  is_beyond_ |= now > most;
  return static_cast<std::uint64_t>(std::min(now, most));
}

Ticks Computation::by_parts(Ticks piece, Frame& frame) {
  Ticks now = piece;
  each_part(frame.parts & parts_.balances(), [&](std::size_t part) {
    now = balanced(piece, part - hypothesis_.scales.size(), frame);
  });
  each_part(frame.parts & parts_.scales(), [&](std::size_t part) {
    const Scale& scale = hypothesis_.scales[part];
    const bool is_after = (frame.seen >> part & 1) != 0;
    if (scale.part == Scale::Part::before && is_after) return;
    if (scale.part == Scale::Part::after && !is_after) return;
    now = rounded(static_cast<double>(now) * scale.factor);
  });
  return now;
}

// The pieces of an instance add up to its target exactly, to the tick.
Ticks Computation::balanced(Ticks piece, std::size_t balance, Frame& frame) {
  const Ticks recorded = scan_.instances[balance][rank_][frame.instance];
  const Ticks target = targets_.targets[balance][rank_][frame.instance];
  frame.recorded += piece;
  // An instance without recorded time gets its target at once.
  const Ticks changed =
      recorded == 0
          ? target
          : static_cast<Ticks>((static_cast<__int128>(frame.recorded) * target + recorded / 2) /
                               recorded);
  const Ticks now = changed - frame.changed;
  frame.changed = changed;
  return now;
}

}  // namespace tutti::studies::replay
