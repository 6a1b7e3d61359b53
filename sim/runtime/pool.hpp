// SPDX-License-Identifier: BSD-3-Clause
// Records addressed by a 32-bit index; freed ones are reused. Grows in chunks, so no record moves.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::runtime {

inline constexpr std::uint32_t no_record = UINT32_MAX;

template <class Record>
class Pool {
 public:
  std::uint32_t take() {
    ++in_use_;
    if (!free_.empty()) {
      const std::uint32_t index = free_.back();
      free_.pop_back();
      return index;
    }
    if (next_ == chunks_.size() * chunk_size) {
      chunks_.push_back(std::make_unique<Record[]>(chunk_size));
    }
    return next_++;
  }
  void give_back(std::uint32_t index) {
    --in_use_;
    free_.push_back(index);
  }
  Record& operator[](std::uint32_t index) {
    return chunks_[index / chunk_size][index % chunk_size];
  }
  const Record& operator[](std::uint32_t index) const {
    return chunks_[index / chunk_size][index % chunk_size];
  }
  std::uint32_t in_use() const { return in_use_; }
  // One more than the largest index ever used.
  std::uint32_t size() const { return next_; }

 private:
  static constexpr std::uint32_t chunk_size = 1024;
  std::vector<std::unique_ptr<Record[]>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t next_ = 0;
  std::uint32_t in_use_ = 0;
};

}  // namespace tutti::runtime
