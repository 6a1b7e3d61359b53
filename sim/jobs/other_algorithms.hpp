// SPDX-License-Identifier: BSD-3-Clause
// What a user may simulate instead of a job that does not fit into the memory.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::jobs {

// The other algorithms of the point's collective that run with its arguments and whose memory does
// not exceed `free_bytes`, the one with the fewest simulated messages first, and the time of those
// that take minutes: "modified_bruck, pairwise (up to 1 minute, sampled), scattered (about 5
// minutes)". Empty if there are none.
std::string other_algorithms(const Point& point, const platforms::Machine& machine,
                             Bytes free_bytes);

}  // namespace tutti::jobs
