// SPDX-License-Identifier: BSD-3-Clause
// Reads the events of ranks one by one through small buffers.
#pragma once

#include <queue>

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

class EventReader {
 public:
  EventReader(const workloads::traces::EventStore& events, workloads::traces::TraceRank rank)
      : cursor_(events.cursor(rank)), buffer_(buffered) {}

  // The next event; null at the end. The pointer is valid until the next call.
  const workloads::traces::Event* next() {
    const auto* event = peek();
    if (event != nullptr) ++at_;
    return event;
  }
  // The same without advancing.
  const workloads::traces::Event* peek() {
    if (at_ == end_) {
      before_ += end_;
      end_ = cursor_->read(buffer_);
      at_ = 0;
      if (end_ == 0) return nullptr;
    }
    return &buffer_[at_];
  }
  // The number of events that next() has returned.
  std::uint64_t count() const { return before_ + at_; }

 private:
  static constexpr std::size_t buffered = 64;
  std::unique_ptr<workloads::traces::EventCursor> cursor_;
  std::vector<workloads::traces::Event> buffer_;
  std::uint64_t before_ = 0;  // events before the buffer
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

// Calls `visit(event)` for each event of a rank in order.
template <class Visit>
void visit_events(const workloads::traces::Trace& trace, workloads::traces::TraceRank rank,
                  const Visit& visit) {
  EventReader events(trace.events, rank);
  while (const workloads::traces::Event* event = events.next()) visit(*event);
}

// Reads the events of all ranks at the same pace, by the fraction of each rank's events, so that
// related events are read at about the same time even if clocks are not synchronized.
// `visit(rank, event)` gets the events of each rank in order.
template <class Visit>
void visit_side_by_side(const workloads::traces::Trace& trace, const Visit& visit) {
  constexpr int slice = 256;  // events
  using workloads::traces::TraceRank;
  using Next = std::pair<double, TraceRank>;  // fraction of the rank's events that is read
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<std::unique_ptr<EventReader>> readers;
  std::vector<std::uint64_t> read(trace.definitions.locations());
  for (TraceRank rank = 0; rank < read.size(); ++rank) {
    readers.push_back(std::make_unique<EventReader>(trace.events, rank));
    next.push({0, rank});
  }
  while (!next.empty()) {
    const TraceRank rank = next.top().second;
    next.pop();
    const workloads::traces::Event* event = nullptr;
    for (int i = 0; i < slice && (event = readers[rank]->next()) != nullptr; ++i)
      visit(rank, *event);
    read[rank] += slice;
    if (event != nullptr)
      next.push(
          {static_cast<double>(read[rank]) / static_cast<double>(trace.events.count(rank)), rank});
  }
}

}  // namespace tutti::studies::replay
