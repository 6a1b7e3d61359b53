// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/live_progress.hpp"

#include <sys/mman.h>

#include <new>

namespace tutti::jobs {

void LiveProgress::share() {
  if (page_ != nullptr) return;
  void* memory =
      ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) page_ = new (memory) Page{};
}

LiveProgress::~LiveProgress() {
  if (page_ != nullptr) ::munmap(page_, sizeof(Page));
}

void LiveProgress::on_send(const runtime::SentMessage& message) {
  constexpr std::int64_t step = 1024;
  if (page_ == nullptr || message.serial % step != 0) return;
  if (message.serial < last_) before_ += last_;
  last_ = message.serial;
  page_->messages.store(before_ + last_, std::memory_order_relaxed);
  page_->simulated_s.store(message.sent_s, std::memory_order_relaxed);
}

std::int64_t LiveProgress::messages() const {
  return page_ == nullptr ? 0 : page_->messages.load(std::memory_order_relaxed);
}

Seconds LiveProgress::simulated_s() const {
  return page_ == nullptr ? 0 : page_->simulated_s.load(std::memory_order_relaxed);
}

}  // namespace tutti::jobs
