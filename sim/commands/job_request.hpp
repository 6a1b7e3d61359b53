// SPDX-License-Identifier: BSD-3-Clause
// What commands that simulate on one machine have in common.
#pragma once

#include <string>

#include "sim/options/machine_request.hpp"

namespace tutti::commands {

struct JobRequest : options::MachineRequest {
  bool force = false;   // memory and limits are not looked at
  std::string command;  // reproduces the result
};

}  // namespace tutti::commands
