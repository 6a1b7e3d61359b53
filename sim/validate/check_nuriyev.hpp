// SPDX-License-Identifier: BSD-3-Clause
// What the checks of Nuriyev and Lastovetsky's Table 3 share.
#pragma once

#include "sim/base/common.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies::papers {

// Open MPI's algorithm as the paper calls it: "split_binary" for "split_binary_tree".
std::string nuriyev_name(std::string_view algorithm);

// What was measured, beside the same simulated on the catalog's grisou and gros: the fastest of the
// paper's six broadcasts with segments of 8 KiB, and what the model's choice and Open MPI 3.1's
// cost more. No judgement: the overheads of both machines derive from the paper's Tables 1 and 2.
// `table`: nuriyev_table3.
Result<CheckedValues> simulated_nuriyev_selection(const Table& table);

}  // namespace tutti::studies::papers
