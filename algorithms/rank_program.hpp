// SPDX-License-Identifier: BSD-3-Clause
// Short names for the building blocks of rank programs.
#pragma once

#include "sim/runtime/rank.hpp"

namespace tutti::algorithms {

using runtime::Nested;
using runtime::Operand;
using runtime::Rank;
using runtime::RankId;
using runtime::Request;
using runtime::Slice;
using runtime::Task;

}  // namespace tutti::algorithms
