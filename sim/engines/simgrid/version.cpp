// SPDX-License-Identifier: BSD-3-Clause
// Part of the program, not of the module, so that printing SimGrid's version does not load it.
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"

// SimGrid 3.32's version.h does not compile before base.h.
// clang-format off
#include <xbt/base.h>
#include <simgrid/version.h>
// clang-format on

namespace tutti::engines {

std::string simgrid_version() {
  constexpr int patch = SIMGRID_VERSION_PATCH;
  const std::string version = fmt::format("{}.{}", SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
  return patch == 0 ? version : fmt::format("{}.{}", version, patch);
}

}  // namespace tutti::engines
