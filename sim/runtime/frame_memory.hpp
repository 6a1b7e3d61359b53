// SPDX-License-Identifier: BSD-3-Clause
// Memory of coroutine frames: a job has as many frames as ranks, of few sizes. Freed frames are
// kept for the next ones of about the same size, in the order that uses the cache best. The thread
// that has taken a frame must free it.
#pragma once

#include <array>
#include <utility>

#include "sim/base/large_pages.hpp"

namespace tutti::runtime {

class FrameMemory {
 public:
  static void* take(std::size_t bytes) {
    if (is_checked || bytes > largest) return ::operator new(bytes);
    return of_thread().take_unit((bytes + unit - 1) / unit);
  }
  static void give_back(void* frame, std::size_t bytes) noexcept {
    if (is_checked || bytes > largest) return ::operator delete(frame);
    Free*& head = of_thread().free_[(bytes + unit - 1) / unit];
    head = new (frame) Free{head};
  }

 private:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr bool is_checked = true;  // accesses to freed frames are detected
#else
  static constexpr bool is_checked = false;
#endif
  static constexpr std::size_t unit = 64;  // a cache line
  static constexpr std::size_t largest = 4096;
  struct Free {
    Free* next;
  };

  static FrameMemory& of_thread() {
    thread_local FrameMemory memory;
    return memory;
  }

  void* take_unit(std::size_t units) {
    Free*& head = free_[units];
    if (head != nullptr) return std::exchange(head, head->next);
    const std::size_t bytes = units * unit;
    if (left_ < bytes) {
      left_ = large_page;
      next_ = chunks_.emplace_back(take_pages(left_, !chunks_.empty())).get();
    }
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }

  std::array<Free*, largest / unit + 1> free_{};  // by size in units
  std::vector<Pages> chunks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace tutti::runtime
