// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

std::string version();  // "0.1.0"
// Commit of the sources that were built: "8e6aafe", with "-dirty" if they were modified; "unknown"
// if they are not in a repository.
std::string commit();

}  // namespace tutti::reports
