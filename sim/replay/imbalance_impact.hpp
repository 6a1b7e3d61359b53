// SPDX-License-Identifier: BSD-3-Clause
// The impact of imbalance on the critical path, as Scalasca defines it: what call paths on the
// critical path cost, in resources of all ranks.
//
// The work of a rank in a call path is its time without waits. Up to the time of the call path on
// the critical path, it is activity of the critical path; what exceeds that is other activity. The
// difference is the rank's headroom. The time that a rank does not work, compared with the critical
// path, is distributed over the call paths in proportion to its headrooms. What it has in call
// paths that it never enters is the imbalance between ranks that run different parts of a program,
// the rest that within such a part. Both belong to the ranks on the critical path.
#pragma once

#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

// Adds Cause::critical_activity and those after it. Requires the time, the critical path and the
// waits of all ranks.
void add_imbalance_impact(MetricTable& metrics);

}  // namespace tutti::studies::replay
