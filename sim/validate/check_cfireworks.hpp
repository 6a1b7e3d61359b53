// SPDX-License-Identifier: BSD-3-Clause
// What the checks of cFireworks' Table II share.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/node_load.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies::papers {

// Of the paper's exchange on "4-4-2-2-1-1-1-1": processes of each node, in the order of the ranks.
fireworks::RoundLoad cfireworks_loads(const std::string& node_set);

// `table`: cfireworks_table2.
Result<CheckedValues> simulated_cfireworks_times(const Table& table);

}  // namespace tutti::studies::papers
