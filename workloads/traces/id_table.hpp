// SPDX-License-Identifier: BSD-3-Clause
// Identifiers of an archive to our indices. Score-P counts from 0, EZTrace from 2^30 * rank.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "workloads/traces/event.hpp"

namespace tutti::workloads::traces {

class IdTable {
 public:
  void set(std::uint32_t id, std::uint32_t index) {
    if (id >= most_dense) {
      sparse_[id] = index;
      return;
    }
    if (id >= dense_.size()) dense_.resize(id + std::size_t{1}, none);
    dense_[id] = index;
  }
  // none: unknown.
  std::uint32_t find(std::uint32_t id) const {
    if (id < dense_.size()) return dense_[id];
    if (id < most_dense) return none;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? none : found->second;
  }

 private:
  static constexpr std::uint32_t most_dense = 1 << 20;
  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::uint32_t, std::uint32_t> sparse_;
};

}  // namespace tutti::workloads::traces
