// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "platforms/reader.hpp"

namespace tutti::options {

// The machine that --platform and --set ask for.
struct MachineRequest {
  std::string platform;  // as given
  std::vector<platforms::Override> overrides;
};

}  // namespace tutti::options
