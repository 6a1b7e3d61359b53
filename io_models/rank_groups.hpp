// SPDX-License-Identifier: BSD-3-Clause
// Groups of consecutive ranks, as Open MPI's OMPIO forms them.
#pragma once

#include "io_models/access.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// The first procs mod count groups have one more rank than the others.
class RankGroups {
 public:
  // 1 <= count <= procs.
  RankGroups(int procs, int count) : count_(count), size_(procs / count), larger_(procs % count) {}

  int count() const { return count_; }
  RankId begin(int group) const { return group * size_ + std::min(group, larger_); }
  RankId end(int group) const { return begin(group + 1); }
  int size(int group) const { return end(group) - begin(group); }
  int of(RankId rank) const {
    const RankId in_larger = larger_ * (size_ + 1);
    return rank < in_larger ? rank / (size_ + 1) : larger_ + (rank - in_larger) / size_;
  }

 private:
  int count_;
  int size_;
  int larger_;  // number of larger groups
};

}  // namespace tutti::io_models
