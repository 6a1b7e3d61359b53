// SPDX-License-Identifier: BSD-3-Clause
// Finds the nonblocking collectives of a rank at their begin. A trace names a collective only at
// its completion, so this class reads ahead until then.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/event_reader.hpp"

namespace tutti::studies::replay {

class CollectivesAhead {
 public:
  using Event = workloads::traces::Event;
  using EventKind = workloads::traces::EventKind;

  CollectivesAhead(const workloads::traces::Trace& trace, workloads::traces::TraceRank rank)
      : events_(trace.events, rank) {}

  // The completion of the collective that the rank begins with this request; empty if it never
  // completes.
  std::optional<Event> completion(std::uint64_t request) {
    while (true) {
      if (auto entry = read_.extract(request); !entry.empty()) return entry.mapped();
      const Event* event = events_.next();
      if (event == nullptr) return std::nullopt;
      if (event->kind == EventKind::icollective_end) read_[event->tag] = *event;
    }
  }

 private:
  EventReader events_;
  std::unordered_map<std::uint64_t, Event> read_;
};

// Numbers the collectives of a rank by communicator. All members begin them in the same order.
class CollectiveCount {
 public:
  using Event = workloads::traces::Event;
  using EventKind = workloads::traces::EventKind;

  CollectiveCount(const workloads::traces::Trace& trace, workloads::traces::TraceRank rank)
      : trace_(trace), rank_(rank) {}

  struct Numbered {
    std::uint32_t comm = 0;
    std::uint64_t number = 0;
  };
  // Must get all events of the rank. Returns the collective that the event begins, if that is
  // nonblocking, or ends.
  std::optional<Numbered> take(const Event& event) {
    if (event.kind == EventKind::collective_end) return Numbered{event.comm, counts_[event.comm]++};
    if (event.kind == EventKind::collective_request) return begin(event.request);
    if (event.kind != EventKind::icollective_end) return std::nullopt;
    const auto open = open_.extract(event.tag);
    return open.empty() ? std::nullopt : std::optional(open.mapped());
  }

 private:
  std::optional<Numbered> begin(std::uint64_t request) {
    if (!ahead_) ahead_ = std::make_unique<CollectivesAhead>(trace_, rank_);
    const auto completion = ahead_->completion(request);
    if (!completion) return std::nullopt;
    return open_[request] = {completion->comm, counts_[completion->comm]++};
  }

  const workloads::traces::Trace& trace_;
  workloads::traces::TraceRank rank_;
  std::unique_ptr<CollectivesAhead> ahead_;  // null until needed
  std::unordered_map<std::uint32_t, std::uint64_t> counts_;
  std::unordered_map<std::uint64_t, Numbered> open_;  // by request
};

// The nonblocking collectives in progress of a rank.
struct OpenCollective {
  workloads::traces::Event completion;
  std::uint64_t number = 0;  // of the collectives of the communicator
};

}  // namespace tutti::studies::replay
