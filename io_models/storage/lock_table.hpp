// SPDX-License-Identifier: BSD-3-Clause
// Which client holds the locks of a target's units: ranges of units, so that a file of any size
// takes no more room than its clients' parts are many.
#pragma once

#include <cstdint>
#include <map>

#include "io_models/storage/layout.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::io_models {

class LockTable {
 public:
  // Gives the units to `holder`. How many locks that others hold were called back for it: ranges of
  // units next to each other that one client held.
  int take(runtime::RankId holder, LockUnits units);

  std::size_t ranges() const { return ranges_.size(); }

 private:
  struct Range {
    std::int64_t last = 0;
    runtime::RankId holder = 0;
  };
  using Ranges = std::map<std::int64_t, Range>;  // by first unit; they do not overlap

  void join(Ranges::iterator range);

  Ranges ranges_;
};

}  // namespace tutti::io_models
