// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/jobs/jobs.hpp"

namespace tutti::jobs {

// Version of everything that determines simulated numbers. Each change that CHANGELOG.md lists
// under "Changed results" must increment it, so that points stored by older versions are simulated
// again.
inline constexpr int model_version = 16;

}  // namespace tutti::jobs
