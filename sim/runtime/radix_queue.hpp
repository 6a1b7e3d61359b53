// SPDX-License-Identifier: BSD-3-Clause
// A monotone priority queue (times of events, levels of a filling); equal keys keep their order of
// insertion. A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan, J. ACM 37(2), 1990): a new key is never
// below the last one taken, so entries are sorted by the highest bit in which they differ from it,
// and insertion needs no comparisons.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::runtime {

template <class Payload>
class RadixQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // The smallest key; infinity if the queue is empty.
  double next_key() const {
    if (used_ == 0) return std::numeric_limits<double>::infinity();
    return std::bit_cast<double>(buckets_[lowest()].least);
  }

  // `key` must be at least 0. A key below that of the last entry taken is raised to it.
  void push(double key, Payload payload) {
    insert({std::max(std::bit_cast<std::uint64_t>(key + 0.0), last_), payload});
    ++size_;
  }

  Payload pop() {
    if ((used_ & 1) == 0) refill();
    const Payload payload = buckets_[0].entries[taken_].payload;
    if (++taken_ == buckets_[0].entries.size()) empty_bucket(0);
    --size_;
    return payload;
  }

  // The entry that is popped after `ahead` others, if it is already known.
  const Payload* peek(std::size_t ahead) const {
    const auto& known = buckets_[0].entries;
    return taken_ + ahead < known.size() ? &known[taken_ + ahead].payload : nullptr;
  }

  // Empties the queue, and accepts keys from 0 again.
  void clear() {
    while (used_ != 0) empty_bucket(lowest());
    last_ = 0;
    size_ = 0;
  }

  // Removes the entries for which `is_stale` is true.
  template <class IsStale>
  void discard(IsStale is_stale) {
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      auto& entries = buckets_[i].entries;
      if (i == 0) entries.erase(entries.begin(), entries.begin() + std::exchange(taken_, 0));
      const auto kept = std::remove_if(entries.begin(), entries.end(),
                                       [&](const Entry& entry) { return is_stale(entry.payload); });
      size_ -= static_cast<std::size_t>(entries.end() - kept);
      entries.erase(kept, entries.end());
      if (entries.empty()) {
        empty_bucket(i);
      } else {
        buckets_[i].least = std::min_element(entries.begin(), entries.end(), earlier)->key;
      }
    }
  }

 private:
  // The bits of a non-negative number have the same order as the number.
  struct Entry {
    std::uint64_t key;
    Payload payload;
  };
  struct Bucket {
    std::vector<Entry> entries;
    std::uint64_t least = ~std::uint64_t{0};
  };
  static bool earlier(const Entry& a, const Entry& b) { return a.key < b.key; }

  std::size_t lowest() const { return static_cast<std::size_t>(std::countr_zero(used_)); }

  void insert(const Entry& entry) {
    const auto index = static_cast<std::size_t>(std::bit_width(entry.key ^ last_));
    Bucket& bucket = buckets_[index];
    bucket.entries.push_back(entry);
    bucket.least = std::min(bucket.least, entry.key);
    used_ |= std::uint64_t{1} << index;
  }

  // Frees large vectors; otherwise each of the 64 buckets would grow to the maximum size.
  static void make_empty(std::vector<Entry>& entries) {
    entries.clear();
    if (entries.capacity() > largest_kept) std::vector<Entry>().swap(entries);
  }

  void empty_bucket(std::size_t index) {
    make_empty(buckets_[index].entries);
    buckets_[index].least = ~std::uint64_t{0};
    used_ &= ~(std::uint64_t{1} << index);
    if (index == 0) taken_ = 0;
  }

  // Advances to the smallest key, and distributes the lowest bucket over lower ones.
  void refill() {
    const std::size_t index = lowest();
    last_ = buckets_[index].least;
    moved_.swap(buckets_[index].entries);
    empty_bucket(index);
    for (const Entry& entry : moved_) insert(entry);
    make_empty(moved_);
  }

  static constexpr std::size_t largest_kept = 1024;  // entries

  // Bucket 0 contains keys equal to the last one, bucket i those whose highest different bit is bit
  // i - 1. (Bit 63 is the sign, which is never set.)
  std::array<Bucket, 64> buckets_;
  std::uint64_t used_ = 0;  // bit i: bucket i is not empty
  std::uint64_t last_ = 0;
  std::size_t taken_ = 0;  // number of entries of bucket 0 that have been popped
  std::size_t size_ = 0;
  std::vector<Entry> moved_;
};

}  // namespace tutti::runtime
