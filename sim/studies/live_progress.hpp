// SPDX-License-Identifier: BSD-3-Clause
// How far a simulation in a forked child is, seen by its parent: both share a page of memory. Made
// before the fork; the child counts, the parent looks.
#pragma once

#include <atomic>

#include "sim/runtime/observer.hpp"

namespace tutti::studies {

class LiveProgress : public runtime::Observer {
 public:
  LiveProgress();  // where there is no page to share, it stays at 0
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;
  ~LiveProgress() override;

  void on_send(const runtime::SentMessage& message) override;

  // Sent so far, to a few thousand.
  std::int64_t messages() const;
  // The clock of a rank that has sent lately; 0 in an untimed engine.
  Seconds simulated_s() const;

 private:
  struct Page {
    std::atomic<std::int64_t> messages;
    std::atomic<Seconds> simulated_s;
  };
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  static_assert(std::atomic<Seconds>::is_always_lock_free);

  Page* page_;  // null: none
};

}  // namespace tutti::studies
