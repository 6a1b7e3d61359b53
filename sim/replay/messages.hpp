// SPDX-License-Identifier: BSD-3-Clause
// Messages that were sent and not yet received, by key.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/causes.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/receive_order.hpp"
#include "sim/replay/trace_scan.hpp"

namespace tutti::studies::replay {

struct SentMessage {
  Times sent;           // the event in the trace
  Times enter;          // of the call
  Times leave{-1, -1};  // -1: not known yet; only of calls that do nothing but send
  PathId path = root_path;
  std::optional<std::uint64_t> new_bytes = {};  // where the hypothesis changes its size
  bool is_blocking = false;
  bool is_moved = false;                    // it was sent at another time than `sent` says
  std::uint64_t request = 0;                // of one that is not
  std::shared_ptr<const Marks> marks = {};  // where causes are wanted
};

// The messages of one key, in the order of their sends; those that are under way are kept.
class Channel {
 public:
  explicit Channel(const MessageCount& in_trace) : in_trace_(in_trace) {}

  // So far, cut ones too.
  std::uint64_t sent() const { return first_ + sent_.size(); }
  std::uint64_t received() const { return received_; }
  void count_receive() { ++received_; }
  // Somebody ever sends, or receives, the one of that number.
  bool is_sent(std::uint64_t number) const { return number < in_trace_.sent; }
  bool is_received(std::uint64_t number) const { return number < in_trace_.received; }
  // Nobody ever sends any more.
  void give_up() { in_trace_.sent = 0; }

  // Whether the receiver waits for this very message.
  bool send(const SentMessage& message) {
    sent_.push_back({message, false});
    if (!is_received(sent() - 1)) take(sent() - 1);
    return waits_for_ && *waits_for_ < sent();
  }
  // The message; null: it is not sent yet, and the receiver waits for it.
  const SentMessage* find(std::uint64_t number) {
    waits_for_.reset();
    if (number < sent()) return &sent_[number - first_].message;
    waits_for_ = number;
    return nullptr;
  }
  // It is received, or never will be.
  void take(std::uint64_t number) {
    sent_[number - first_].is_taken = true;
    while (head_ < sent_.size() && sent_[head_].is_taken) ++head_;
    if (2 * head_ < sent_.size()) return;
    sent_.erase(sent_.begin(), sent_.begin() + static_cast<std::ptrdiff_t>(head_));
    first_ += head_;
    head_ = 0;
  }

 private:
  struct Entry {
    SentMessage message;
    bool is_taken;
  };
  std::vector<Entry> sent_;  // a vector: there may be a channel for each pair of ranks
  std::size_t head_ = 0;     // those before are taken
  std::uint64_t first_ = 0;  // the number of sent_.front()
  std::uint64_t received_ = 0;
  std::optional<std::uint64_t> waits_for_;
  MessageCount in_trace_;
};

class Channels {
 public:
  // `counts` outlive it.
  explicit Channels(const ByMessageKey<MessageCount>& counts) : counts_(counts) {}

  // Stays where it is. A key of the trace.
  Channel& of(const MessageKey& key) {
    const auto found = channels_.find(key);
    if (found != channels_.end()) return found->second;
    return channels_.emplace(key, Channel(counts_.at(key))).first->second;
  }

 private:
  const ByMessageKey<MessageCount>& counts_;
  ByMessageKey<Channel> channels_;
};

}  // namespace tutti::studies::replay
