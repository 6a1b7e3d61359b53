// SPDX-License-Identifier: BSD-3-Clause
// The regions that a rank is in. Some tools write leaves that do not match: TraceR leaves a region
// while it is in another one of it. Reader and writer repair them in the same way.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::workloads::traces {

class OpenRegions {
 public:
  struct Open {
    std::uint32_t region = 0;     // as the trace counts them: one name, one region
    std::uint32_t reference = 0;  // as the archive does
  };
  enum class Left {
    well,
    from_within,  // regions inside it were ended as well
    not_in        // the rank is not in it: nothing was ended
  };

  void enter(Open region) { open_.push_back(region); }

  // Ends the region, and before it those inside; `end` is called with each.
  template <class End>
  Left leave(std::uint32_t region, const End& end) {
    if (!open_.empty() && open_.back().region == region) {
      end_innermost(end);
      return Left::well;
    }
    std::size_t depth = open_.size();
    while (depth > 0 && open_[depth - 1].region != region) --depth;
    if (depth == 0) return Left::not_in;
    while (open_.size() >= depth) end_innermost(end);
    return Left::from_within;
  }

  template <class End>
  void leave_all(const End& end) {
    while (!open_.empty()) end_innermost(end);
  }

 private:
  template <class End>
  void end_innermost(const End& end) {
    const Open ended = open_.back();
    open_.pop_back();
    end(ended);
  }

  std::vector<Open> open_;
};

}  // namespace tutti::workloads::traces
