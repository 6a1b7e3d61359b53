// SPDX-License-Identifier: BSD-3-Clause
// Progress of a simulation in a forked child, visible to its parent through a shared page of
// memory. It must be constructed before the fork; the child writes, the parent reads.
#pragma once

#include <atomic>

#include "sim/base/common.hpp"
#include "sim/jobs/child_process.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::jobs {

class LiveProgress : public runtime::Observer {
 public:
  LiveProgress() = default;
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  // Call before the fork. Otherwise, or if no page can be shared, all values remain 0.
  void share() {
    if (!page_) page_ = share_memory<Page>();
  }
  // This observer if it is shared, else null: a run without observers is faster.
  LiveProgress* watcher() { return page_ == nullptr ? nullptr : this; }

  void on_send(const runtime::SentMessage& message) override {
    constexpr std::int64_t step = 1024;
    if (page_ == nullptr || message.serial % step != 0) return;
    if (message.serial < last_) before_ += last_;
    last_ = message.serial;
    page_->messages.store(before_ + last_, std::memory_order_relaxed);
    page_->simulated_s.store(message.sent_s, std::memory_order_relaxed);
  }
  bool needs_all_ranks() const override { return false; }
  bool needs_requests() const override { return false; }

  // Number of messages sent so far by all runs of the point, accurate to a few thousand.
  std::int64_t messages() const {
    return page_ == nullptr ? 0 : page_->messages.load(std::memory_order_relaxed);
  }
  // Simulated time of a recently sent message, in seconds; 0 in an untimed engine.
  Seconds simulated_s() const {
    return page_ == nullptr ? 0 : page_->simulated_s.load(std::memory_order_relaxed);
  }

 private:
  struct Page {
    std::atomic<std::int64_t> messages;
    std::atomic<Seconds> simulated_s;
  };
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  static_assert(std::atomic<Seconds>::is_always_lock_free);

  SharedMemory<Page> page_;  // null if no page could be shared
  std::int64_t last_ = 0;    // messages of the current run, in the child
  std::int64_t before_ = 0;  // messages of earlier runs
};

}  // namespace tutti::jobs
