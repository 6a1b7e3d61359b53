// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/large_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tutti {
namespace {

std::size_t round_to_pages(std::size_t bytes) {
  if (bytes > SIZE_MAX - 2 * large_page) throw std::bad_alloc();
  return (bytes + large_page - 1) / large_page * large_page;
}

// Whether the heap is faster: a mapping of its own costs three system calls, a table of pages, and
// a fault for each page that is used. A short simulation has tens of such arrays.
bool fits_heap(std::size_t bytes, bool large) { return !large && bytes < large_page; }

}  // namespace

void ReturnPages::operator()(std::byte* memory) const {
  if (is_on_heap) return std::free(memory);
  ::munmap(memory, round_to_pages(std::max<std::size_t>(bytes, 1)));
}

Pages take_pages(std::size_t bytes, bool large) {
  if (fits_heap(bytes, large)) {
    constexpr std::size_t line = 64;
    const std::size_t size = (bytes / line + 1) * line;
    void* const memory = std::aligned_alloc(line, size);
    if (memory == nullptr) throw std::bad_alloc();
    return Pages(static_cast<std::byte*>(std::memset(memory, 0, size)), ReturnPages{bytes, true});
  }
  const std::size_t size = round_to_pages(std::max<std::size_t>(bytes, 1));
  void* const mapped = ::mmap(nullptr, size + large_page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<std::byte*>(mapped);
  const std::size_t before =
      (large_page - reinterpret_cast<std::uintptr_t>(begin) % large_page) % large_page;
  if (before > 0) ::munmap(begin, before);
  if (before < large_page) ::munmap(begin + before + size, large_page - before);
  if (large) ::madvise(begin + before, size, MADV_HUGEPAGE);  // failures do not matter
  return Pages(begin + before, ReturnPages{bytes});
}

}  // namespace tutti
