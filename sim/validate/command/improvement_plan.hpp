// SPDX-License-Identifier: BSD-3-Clause
// What `sim validate improvement` simulates: calls, and the machines that each is simulated on
// beside the one that was named.
#pragma once

#include "sim/base/common.hpp"
#include "sim/validate/command/improvement_request.hpp"
#include "sim/validate/improvement_summary.hpp"

namespace tutti::commands {

using MachineRef = std::shared_ptr<const platforms::Machine>;

struct WantedCall {
  studies::Point point;
  studies::ImprovedCall call;                  // without times
  std::map<std::size_t, MachineRef> machines;  // by number of the change or of all_realised
};

struct ImprovementPlan {
  studies::MessageTuning tuning;
  std::vector<WantedCall> calls;
  std::vector<WantedCall> table_3_2, table_4_4;  // what the dissertation measured; else empty
  std::size_t table_4_4_change = 0;
  std::vector<std::string> tried;  // "mpi/eager_limit = 1536B, 3KiB"
  std::vector<std::string> notes;
};

Result<ImprovementPlan> plan_improvement(const ImprovementRequest& request,
                                         const MachineRef& machine);

}  // namespace tutti::commands
