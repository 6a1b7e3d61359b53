// SPDX-License-Identifier: BSD-3-Clause
// Records addressed by a 32-bit index; freed ones are reused. Grows in chunks, so no record moves.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/large_pages.hpp"

namespace tutti::runtime {

inline constexpr std::uint32_t no_record = UINT32_MAX;

template <class Record>
class Pool {
 public:
  // Returns the index of an unused record, which keeps the values of its last use.
  std::uint32_t take() {
    ++in_use_;
    if (!free_.empty()) {
      const std::uint32_t index = free_.back();
      free_.pop_back();
      return index;
    }
    if (next_ == chunks_.size() * chunk_size) add_chunks();
    return next_++;
  }
  // Makes the record available for reuse.
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

  // Large pools grow by blocks of several chunks, on large pages.
  void add_chunks() {
    constexpr std::size_t few = 16, many = 64;
    const std::size_t added = chunks_.size() < few ? 1 : many;
    Record* const block = blocks_.emplace_back(added * chunk_size).data();
    for (std::size_t i = 0; i < added; ++i) chunks_.push_back(block + i * chunk_size);
  }

  std::vector<LargeVector<Record>> blocks_;
  std::vector<Record*> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t next_ = 0;
  std::uint32_t in_use_ = 0;
};

}  // namespace tutti::runtime
