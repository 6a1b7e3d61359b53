// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/options/option_values.hpp"

namespace tutti::options {

// All --set KEY=VALUE, in order.
Result<std::vector<platforms::Override>> read_overrides(const OptionValues& parsed);

}  // namespace tutti::options
