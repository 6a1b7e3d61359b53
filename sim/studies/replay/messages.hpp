// SPDX-License-Identifier: BSD-3-Clause
// Messages that were sent and not yet received, by key.
#pragma once

#include <deque>
#include <optional>

#include "sim/studies/replay/collectives.hpp"
#include "sim/studies/replay/message_key.hpp"

namespace tutti::studies::replay {

struct SentMessage {
  Times sent;           // the event in the trace
  Times enter;          // of the call
  Times leave{-1, -1};  // -1: not known yet; only of calls that do nothing but send
  PathId path = root_path;
  bool is_blocking = false;
  std::uint64_t request = 0;  // of one that is not
};

class Messages {
 public:
  // Whether the receiver waits for this very message.
  bool send(const MessageKey& key, const SentMessage& message) {
    Queue& queue = queues_[key];
    queue.sent.push_back({message, false});
    return queue.waits_for && *queue.waits_for < queue.first + queue.sent.size();
  }

  // The message; null: it is not sent yet, and the receiver waits for it.
  const SentMessage* find(const MessageKey& key, std::uint64_t number) {
    Queue& queue = queues_[key];
    queue.waits_for.reset();
    if (number < queue.first + queue.sent.size()) return &queue.sent[number - queue.first].message;
    queue.waits_for = number;
    return nullptr;
  }
  // It is received.
  void take(const MessageKey& key, std::uint64_t number) {
    Queue& queue = queues_[key];
    queue.sent[number - queue.first].is_taken = true;
    while (!queue.sent.empty() && queue.sent.front().is_taken) {
      queue.sent.pop_front();
      ++queue.first;
    }
  }

 private:
  struct Entry {
    SentMessage message;
    bool is_taken;
  };
  struct Queue {
    std::deque<Entry> sent;
    std::uint64_t first = 0;
    std::optional<std::uint64_t> waits_for;
  };
  ByMessageKey<Queue> queues_;
};

}  // namespace tutti::studies::replay
