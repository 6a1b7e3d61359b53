// SPDX-License-Identifier: BSD-3-Clause
// An array of zero bytes whose pages cost memory only when they are first written to: state by link
// or host of a machine of which a job may use a small part.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace tutti::engines {

template <class T>
class ZeroArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit ZeroArray(std::size_t size) : data_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (size > 0 && data_ == nullptr) throw std::bad_alloc();
  }
  T& operator[](std::size_t index) { return data_.get()[index]; }
  const T& operator[](std::size_t index) const { return data_.get()[index]; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
};

}  // namespace tutti::engines
