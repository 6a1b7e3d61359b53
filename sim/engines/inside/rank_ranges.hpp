// SPDX-License-Identifier: BSD-3-Clause
// Ranks that are looked at: 0-15,20.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::engines {

struct RankRange {
  runtime::RankId first = 0;
  runtime::RankId last = 0;  // included
};

inline bool contains(const std::vector<RankRange>& ranges, runtime::RankId rank) {
  for (const RankRange& each : ranges)
    if (each.first <= rank && rank <= each.last) return true;
  return false;
}

}  // namespace tutti::engines
