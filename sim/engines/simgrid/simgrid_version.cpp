// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "sim/engines/version.hpp"

// SimGrid 3.32's version.h does not compile before base.h.
// clang-format off
#include <xbt/base.h>
#include <simgrid/version.h>
// clang-format on

namespace tutti::engines {

std::string simgrid_version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  sg_version_get(&major, &minor, &patch);
  return patch == 0 ? fmt::format("{}.{}", major, minor)
                    : fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace tutti::engines
