// SPDX-License-Identifier: BSD-3-Clause
// Reads GOAL text, also compressed by gzip, in one pass. Memory: 32 bytes per operation, 4 more per
// operation and 8 per dependency without annotations; with them 16 to 56 bytes of details.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/schedules/schedule.hpp"

namespace tutti::workloads::schedules {

// The first error is reported, with file and line. `path` is registered as an input.
Result<std::shared_ptr<const Schedule>> read_schedule(const std::string& path);
// Reads a schedule from a text. `path` is used in messages.
Result<std::shared_ptr<const Schedule>> schedule_of(std::string_view text, const std::string& path);

}  // namespace tutti::workloads::schedules
