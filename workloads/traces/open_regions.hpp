// SPDX-License-Identifier: BSD-3-Clause
// The regions that a rank is in. Some tools write leaves that do not match: TraceR leaves a region
// while it is in another one of it. Reader and writer repair them in the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/check.hpp"

namespace tutti::workloads::traces {

class OpenRegions {
 public:
  struct Open {
    std::uint32_t region = 0;     // as the trace counts them: one name, one region
    std::uint32_t reference = 0;  // as the archive does
  };

  void enter(Open region) { open_.push_back(region); }
  bool is_in(std::uint32_t region) const { return !open_.empty() && open_.back().region == region; }
  // How many regions that were entered later a leave of `region` has to end before; none: the rank
  // is not in the region at all.
  std::optional<std::size_t> inside(std::uint32_t region) const {
    for (std::size_t depth = 0; depth < open_.size(); ++depth)
      if (open_[open_.size() - 1 - depth].region == region) return depth;
    return std::nullopt;
  }
  Open leave() {
    TUTTI_CHECK(!open_.empty(), "a region is left that was not entered");
    const Open left = open_.back();
    open_.pop_back();
    return left;
  }
  bool empty() const { return open_.empty(); }

 private:
  std::vector<Open> open_;
};

}  // namespace tutti::workloads::traces
