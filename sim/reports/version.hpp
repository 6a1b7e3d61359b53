// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

std::string version();  // "0.1.0"
// Of the sources that were built: "8e6aafe", with "-dirty" if they were changed since; "unknown"
// where there is no repository.
std::string commit();

}  // namespace tutti::reports
