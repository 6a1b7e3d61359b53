// SPDX-License-Identifier: BSD-3-Clause
// A zero-initialized array whose pages use memory only after the first write; for state by link or
// host of a large machine of which a job may use only a small part.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

#include "sim/base/common.hpp"

namespace tutti::engines {

template <class T>
class ZeroArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit ZeroArray(std::size_t size)
      : size_(size), data_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (size > 0 && data_ == nullptr) throw std::bad_alloc();
  }
  std::size_t size() const { return size_; }
  // Moves the contents to a larger array; new elements are zero.
  void grow(std::size_t size) {
    ZeroArray larger(size);
    if (size_ > 0) std::memcpy(larger.data_.get(), data_.get(), size_ * sizeof(T));
    std::swap(size_, larger.size_);
    data_.swap(larger.data_);
  }
  T& operator[](std::size_t index) { return data_.get()[index]; }
  const T& operator[](std::size_t index) const { return data_.get()[index]; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::size_t size_;
  std::unique_ptr<T, Free> data_;
};

}  // namespace tutti::engines
