// SPDX-License-Identifier: BSD-3-Clause
// The time of the caller that disappears together with a cut call: the loop around the call.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

struct CallGap {
  Ticks ticks = 0;
  std::string note = {};  // a sentence if it was learned from the trace
};

// In order of precedence: the gap of the LogGP parameters, that of the hypothesis, and, if calls
// are cut, what the trace shows. Between two cut calls that follow each other there is only the
// loop around them, so the median of those times counts. If there are none, the shortest time
// between a cut call and a kept one counts. Only calls of the same region instance, without any
// event in between, are considered. Reads the trace only if it must learn.
CallGap call_gap(const workloads::traces::Trace& trace, const ReplayArgs& args);

}  // namespace tutti::studies::replay
