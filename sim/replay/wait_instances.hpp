// SPDX-License-Identifier: BSD-3-Clause
// The number of waits of each kind, and the most severe one: what Scalasca calls the most severe
// instance of a pattern.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/frames.hpp"

namespace tutti::studies::replay {

// A wait of a rank in one call.
struct WaitInstance {
  Ticks begin = 0;
  Ticks ticks = 0;  // its severity
  TraceRank rank = 0;
  PathId path = root_path;

  bool operator==(const WaitInstance&) const = default;
};

class WaitInstances {
 public:
  void add(const WaitInstance& instance) {
    ++count_;
    if (order(instance) < order(worst_)) worst_ = instance;
  }
  std::uint64_t count() const { return count_; }
  // Of several that are equally severe: the earliest, then that of the lowest rank. Only if there
  // are any.
  const WaitInstance& worst() const { return worst_; }
  void set_worst_path(PathId path) { worst_.path = path; }
  bool operator==(const WaitInstances&) const = default;

 private:
  static std::tuple<Ticks, Ticks, TraceRank> order(const WaitInstance& of) {
    return {-of.ticks, of.begin, of.rank};
  }

  std::uint64_t count_ = 0;
  WaitInstance worst_;
};

}  // namespace tutti::studies::replay
