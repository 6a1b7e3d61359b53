// SPDX-License-Identifier: BSD-3-Clause
// Machines for all combinations of values of some parameters.
#pragma once

#include <vector>

#include "sim/validate/command/improvement_request.hpp"
#include "sim/validate/message_gain.hpp"

namespace tutti::commands {

// The last key's values vary fastest. Names are the values alone where there is one key. Errors:
// what --change says wrongly, too many.
Result<std::vector<studies::ChangedMachine>> changed_machines(
    const ImprovementRequest& request, const std::vector<WantedChange>& changes);

}  // namespace tutti::commands
