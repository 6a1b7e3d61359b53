// SPDX-License-Identifier: BSD-3-Clause
// Executes schedules on the ranks of a job.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"
#include "workloads/schedules/schedule.hpp"

namespace tutti::workloads::schedules {

// The progress of the ranks.
struct Progress {
  struct Rank {
    bool has_begun = false;
    bool has_ended = false;
    std::uint32_t at = 0;  // programs: the wait that is executed
    // Dependencies: by operation, whether it has started, and whether it is done.
    std::vector<bool> started;
    std::vector<bool> done;
  };
  std::vector<Rank> ranks;
};

// A schedule to be executed with sizes of `factor` / `divisor` times those of the file.
struct Scheduled {
  std::shared_ptr<const Schedule> schedule;
  Bytes factor = 1;
  Bytes divisor = 1;

  Bytes scaled(Bytes bytes) const {
    return factor == divisor ? bytes : static_cast<Bytes>(__int128{bytes} * factor / divisor);
  }
};

// The program of a rank. `progress` has one entry per rank.
runtime::Task run_schedule(runtime::Rank& me, std::shared_ptr<const Scheduled> scheduled,
                           std::shared_ptr<Progress> progress);
// The program of a rank if the schedule has dependencies.
runtime::Task run_dependencies(runtime::Rank& me, std::shared_ptr<const Scheduled> scheduled,
                               std::shared_ptr<Progress> progress);

// An error if sizes cannot be scaled to whole elements of `element_bytes`.
std::optional<Error> check_scale(const Scheduled& scheduled, Bytes element_bytes);

}  // namespace tutti::workloads::schedules
