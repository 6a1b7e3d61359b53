// SPDX-License-Identifier: BSD-3-Clause
// A zero-initialized array whose pages use memory only after the first write; for state by link or
// host of a large machine of which a job may use only a small part.
#pragma once

#include <cstring>
#include <type_traits>

#include "sim/base/common.hpp"
#include "sim/base/large_pages.hpp"

namespace tutti::engines {

template <class T>
class ZeroArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  // `dense`: most pages will be written, so that large ones are better.
  explicit ZeroArray(std::size_t size, bool dense = false)
      : size_(size), dense_(dense), pages_(take_pages(bytes_of(size), dense)) {}
  std::size_t size() const { return size_; }
  // Moves the contents to a larger array; new elements are zero.
  void grow(std::size_t size) {
    ZeroArray larger(size, dense_);
    if (size_ > 0) std::memcpy(larger.pages_.get(), pages_.get(), size_ * sizeof(T));
    std::swap(size_, larger.size_);
    pages_.swap(larger.pages_);
  }
  T& operator[](std::size_t index) { return data()[index]; }
  const T& operator[](std::size_t index) const { return data()[index]; }

 private:
  static std::size_t bytes_of(std::size_t size) {
    if (size > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    return size * sizeof(T);
  }
  T* data() const { return reinterpret_cast<T*>(pages_.get()); }

  std::size_t size_;
  bool dense_;
  Pages pages_;
};

}  // namespace tutti::engines
