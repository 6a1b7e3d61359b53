// SPDX-License-Identifier: BSD-3-Clause
// The cycles in which some aggregator gets data. A file with holes may have millions of others,
// which take no time: those are never looked at one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "io_models/redistribution.hpp"

namespace tutti::io_models {

class CyclesWithData {
 public:
  explicit CyclesWithData(const Redistribution& redistribution);
  std::int64_t count() const { return count_; }
  // The cycle at a place among them.
  std::int64_t at(std::int64_t place) const;

 private:
  struct Stretch {
    std::int64_t first = 0;  // cycle
    std::int64_t end = 0;
    std::int64_t place = 0;  // of the first
  };
  void add(std::int64_t first, std::int64_t end);

  std::vector<Stretch> stretches_;
  std::int64_t count_ = 0;
};

}  // namespace tutti::io_models
