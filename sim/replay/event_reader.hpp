// SPDX-License-Identifier: BSD-3-Clause
// Reads the events of a rank one by one through a small buffer.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

class EventReader {
 public:
  EventReader(const workloads::traces::EventStore& events, workloads::traces::TraceRank rank)
      : cursor_(events.cursor(rank)), buffer_(buffered) {}

  // Null at the end. The pointer is valid until the next call.
  const workloads::traces::Event* next() {
    const auto* event = peek();
    if (event != nullptr) ++at_;
    return event;
  }
  // The same without advancing.
  const workloads::traces::Event* peek() {
    if (at_ == end_) {
      end_ = cursor_->read(buffer_);
      at_ = 0;
      if (end_ == 0) return nullptr;
    }
    return &buffer_[at_];
  }

 private:
  static constexpr std::size_t buffered = 64;
  std::unique_ptr<workloads::traces::EventCursor> cursor_;
  std::vector<workloads::traces::Event> buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

}  // namespace tutti::studies::replay
