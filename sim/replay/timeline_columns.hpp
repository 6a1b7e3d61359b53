// SPDX-License-Identifier: BSD-3-Clause
// A bar of a timeline: how long each kind takes in each column.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/replay/timeline.hpp"

namespace tutti::studies::replay {

class TimelineColumns {
 public:
  // `width`: of a column, above 0.
  TimelineColumns(Ticks from, Ticks to, Ticks width, std::size_t kinds)
      : from_(from),
        to_(to),
        width_(width),
        kinds_(kinds),
        taken_(static_cast<std::size_t>((to - from + width - 1) / width) * kinds) {}

  void add(std::size_t kind, Ticks begin, Ticks end) {
    begin = std::max(begin, from_) - from_;
    end = std::min(end, to_) - from_;
    while (begin < end) {
      const Ticks column = begin / width_;
      const Ticks until = std::min(end, (column + 1) * width_);
      taken_[static_cast<std::size_t>(column) * kinds_ + kind] += until - begin;
      begin = until;
    }
  }

  // Columns of which less than half is taken are nothing.
  std::vector<TimelineSpan> spans() const {
    std::vector<TimelineSpan> made;
    for (std::size_t column = 0; column * kinds_ < taken_.size(); ++column) {
      const Ticks begin = from_ + static_cast<Ticks>(column) * width_;
      const Ticks end = std::min(to_, begin + width_);
      const auto kind = kind_of(column, end - begin);
      if (kind == kinds_) continue;
      if (!made.empty() && made.back().to == begin && made.back().kind == kind)
        made.back().to = end;
      else
        made.push_back({begin, end, static_cast<std::uint16_t>(kind)});
    }
    return made;
  }

 private:
  std::size_t kind_of(std::size_t column, Ticks width) const {
    const Ticks* first = &taken_[column * kinds_];
    Ticks sum = 0;
    for (std::size_t i = 0; i < kinds_; ++i) sum += first[i];
    if (2 * sum < width) return kinds_;
    return static_cast<std::size_t>(std::max_element(first, first + kinds_) - first);
  }

  Ticks from_, to_, width_;
  std::size_t kinds_;
  std::vector<Ticks> taken_;  // by column, kind
};

}  // namespace tutti::studies::replay
