// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/version.hpp"

#include "sim/reports/build_version.hpp"

namespace tutti::reports {

std::string version() { return build_version; }
std::string commit() { return build_commit; }

}  // namespace tutti::reports
