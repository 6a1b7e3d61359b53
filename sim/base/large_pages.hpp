// SPDX-License-Identifier: BSD-3-Clause
// Memory of arrays with many random accesses, on pages of 2 MiB if the system has them: a job of
// 250,000 ranks accesses hundreds of megabytes, far more than the processor has translations of
// small pages for.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace tutti {

inline constexpr std::size_t large_page = std::size_t{1} << 21;

struct ReturnPages {
  std::size_t bytes = 0;
  bool is_on_heap = false;
  void operator()(std::byte* memory) const;
};
using Pages = std::unique_ptr<std::byte, ReturnPages>;

// Zeroed memory. From the size of a large page on, it is aligned to large pages, and memory is used
// by the first write to a page; with `large`, the system may use large ones. Throws std::bad_alloc.
Pages take_pages(std::size_t bytes, bool large);

// An allocator of vectors. Vectors of several large pages use large pages.
template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>&) {}

  static bool is_large(std::size_t count) { return count * sizeof(T) >= 2 * large_page; }

  T* allocate(std::size_t count) {
    if (is_large(count)) return reinterpret_cast<T*>(take_pages(count * sizeof(T), true).release());
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{alignof(T)}));
  }
  void deallocate(T* memory, std::size_t count) {
    if (is_large(count))
      return ReturnPages{count * sizeof(T)}(reinterpret_cast<std::byte*>(memory));
    ::operator delete (memory, std::align_val_t{alignof(T)});
  }
  bool operator==(const LargeAllocator&) const { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace tutti
