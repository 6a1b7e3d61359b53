// SPDX-License-Identifier: BSD-3-Clause
// A list of numbers or other plain values that needs memory of its own only if it has more than
// `few`. It is for lists that each rank has and that mostly have few members.
#pragma once

#include "sim/base/common.hpp"

namespace tutti {

template <class T, std::uint32_t few>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ShortList() = default;
  ShortList(ShortList&& other) noexcept { take(other); }
  ShortList(const ShortList& other) {
    for (const T& value : other) push_back(value);
  }
  ShortList& operator=(ShortList other) noexcept {
    if (is_long()) delete[] many_;
    take(other);
    return *this;
  }
  ~ShortList() {
    if (is_long()) delete[] many_;
  }

  void push_back(T value) {
    if (size_ == capacity_) grow();
    data()[size_++] = value;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return is_long() ? many_ : few_; }
  const T* data() const { return is_long() ? many_ : few_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }
  const T& front() const { return *data(); }
  const T& operator[](std::size_t index) const { return data()[index]; }
  friend bool operator==(const ShortList& list, std::span<const T> values) {
    return std::ranges::equal(list, values);
  }

 private:
  bool is_long() const { return capacity_ > few; }

  void take(ShortList& other) {
    if (other.is_long())
      many_ = other.many_;
    else
      std::copy_n(other.few_, few, few_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, few);
  }

  void grow() {
    T* const larger = new T[2 * std::size_t{capacity_}];
    std::copy_n(data(), size_, larger);
    if (is_long()) delete[] many_;
    many_ = larger;
    capacity_ *= 2;
  }

  union {
    T few_[few] = {};
    T* many_;
  };
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = few;
};

}  // namespace tutti
