// SPDX-License-Identifier: BSD-3-Clause
// What ranks do over time, in the trace and replayed, as a picture.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/timeline.hpp"
#include "sim/reports/plots/picture.hpp"

namespace tutti::reports {

struct ReplayTimeline {
  std::string trace;        // its path
  bool is_changed = false;  // by a hypothesis, or a model: else one bar for both
  bool has_times = true;    // of the trace itself: only then a change of its end means something
};

TimelinePicture replay_timeline_picture(const ReplayTimeline& report,
                                        const workloads::traces::TraceDefinitions& definitions,
                                        const studies::replay::ReplayResult& result,
                                        const studies::replay::Timeline& timeline);

}  // namespace tutti::reports
