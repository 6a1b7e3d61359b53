// SPDX-License-Identifier: BSD-3-Clause
// Where a trace of many files goes.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::workloads::traces {

// Makes it; one that is there and not empty is an error.
std::optional<Error> make_output_folder(const std::string& folder);

}  // namespace tutti::workloads::traces
