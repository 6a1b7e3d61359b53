// SPDX-License-Identifier: BSD-3-Clause
// What the programs of ranks are made of, by short names.
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
