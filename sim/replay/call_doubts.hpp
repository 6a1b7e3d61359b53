// SPDX-License-Identifier: BSD-3-Clause
// What a replay does not model in calls, and its part in the verdict (verdict.hpp).
#pragma once

#include "sim/replay/replay_state.hpp"
#include "sim/replay/replay_streams.hpp"
#include "sim/replay/verdict.hpp"

namespace tutti::studies::replay {

// What is not modeled in a call.
enum class Doubt : std::uint8_t {
  nothing,
  excess,     // over the shortest call of the same size; it waits for nothing
  test,       // it succeeds later than recorded, so that another test may succeed instead
  work,       // how long it takes if it need not wait
  everything  // how long it takes, and what it waits for
};

class CallDoubts {
 public:
  // The arguments must outlive this object.
  CallDoubts(const ReplayState& state, const StreamReplay& streams, CallTimeSums& call_times)
      : state_(state), streams_(streams), call_times_(call_times) {}

  // The doubt about the rank's call, whose new times are known.
  Doubt of(const RankState& me) const;
  // Counts this call, which ends.
  void count(const RankState& me);
  // Adds what the counted calls do not show to the bounds of the verdict.
  void add_to(Verdict& verdict) const {
    verdict.reordered.ticks += divided_;
    verdict.shared_work = shared_barriers_;
  }

 private:
  void add_divided(const RankState& me);

  const ReplayState& state_;
  const StreamReplay& streams_;
  CallTimeSums& call_times_;
  Ticks divided_ = 0;                  // bound of the effect of loops that launches divide
  std::uint64_t shared_barriers_ = 0;  // whose end depends on the threads that share out work
};

}  // namespace tutti::studies::replay
