// SPDX-License-Identifier: BSD-3-Clause
// Messages that were sent but not yet received, by key.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/causes.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/receive_order.hpp"
#include "sim/replay/trace_scan.hpp"

namespace tutti::studies::replay {

// A receive that is posted: the begin of its call.
struct Posted {
  Times at;
  std::shared_ptr<const Marks> marks = {};  // only with ReplayArgs::causes
};

struct SentMessage {
  Times sent;           // time of the send event
  Times enter;          // of the call
  Times leave{-1, -1};  // of a call that only sends; -1: not yet known
  PathId path = root_path;
  std::optional<std::uint64_t> new_bytes = {};  // set if the hypothesis changes its size
  bool is_blocking = false;
  bool is_synchronous = false;              // the send waits for its receive
  bool is_moved = false;                    // `sent` is not the time at which it was sent
  std::uint64_t request = 0;                // of a nonblocking send
  std::shared_ptr<const Marks> marks = {};  // only with ReplayArgs::causes
};

// The messages of one key in the order of their sends. Only messages in flight are stored.
class Channel {
 public:
  explicit Channel(const MessageCount& in_trace) : in_trace_(in_trace) {}

  // Number of messages so far, including cut ones.
  std::uint64_t sent() const { return first_ + sent_.size(); }
  std::uint64_t received() const { return received_; }
  void count_receive() { ++received_; }
  // Whether the trace contains the send, or the receive, of that message.
  bool is_sent(std::uint64_t number) const { return number < in_trace_.sent; }
  bool is_received(std::uint64_t number) const { return number < in_trace_.received; }
  // Notes that no more messages will be sent.
  void give_up() { in_trace_.sent = 0; }

  // Returns whether the receiver waits for this message. `expects`: the post of its receive is
  // stored until forget_post().
  bool send(const SentMessage& message, bool expects = false) {
    if (expects) {
      posts().expected.insert(sent());
    } else if (posts_) {
      posts_->posted.erase(sent());
    }
    sent_.push_back({message, false});
    if (!is_received(sent() - 1)) take(sent() - 1);
    return waits_for_ && *waits_for_ < sent();
  }
  // The message; null if it is not sent yet, and the receiver waits for it from now on.
  const SentMessage* find(std::uint64_t number) {
    waits_for_.reset();
    if (number < sent()) return &sent_[number - first_].message;
    waits_for_ = number;
    return nullptr;
  }
  // Removes a message that is received, or never will be.
  void take(std::uint64_t number) {
    sent_[number - first_].is_taken = true;
    while (head_ < sent_.size() && sent_[head_].is_taken) ++head_;
    if (2 * head_ < sent_.size()) return;
    sent_.erase(sent_.begin(), sent_.begin() + static_cast<std::ptrdiff_t>(head_));
    first_ += head_;
    head_ = 0;
  }

  // ---- posts of receives, if sends may wait for them ----

  // Returns whether the sender waits for it. Posts that nobody may wait for are not stored.
  bool post(std::uint64_t number, const Posted& posted) {
    if (number < sent() && (!posts_ || !posts_->expected.contains(number))) return false;
    posts().posted[number] = posted;
    return posts_->sender_waits_for == number;
  }
  // The post of a sent message; null if it has not happened, and the sender waits for it from now.
  const Posted* posted(std::uint64_t number) {
    Posts& all = posts();
    all.sender_waits_for.reset();
    const auto entry = all.posted.find(number);
    if (entry != all.posted.end()) return &entry->second;
    all.sender_waits_for = number;
    return nullptr;
  }
  void forget_post(std::uint64_t number) {
    posts_->posted.erase(number);
    posts_->expected.erase(number);
  }

 private:
  struct Posts {
    std::unordered_map<std::uint64_t, Posted> posted;
    std::unordered_set<std::uint64_t> expected;  // sent messages whose post is of interest
    std::optional<std::uint64_t> sender_waits_for;
  };
  Posts& posts() {
    if (!posts_) posts_ = std::make_unique<Posts>();
    return *posts_;
  }

  struct Entry {
    SentMessage message;
    bool is_taken;
  };
  std::vector<Entry> sent_;  // a vector, since there may be a channel for each pair of ranks
  std::size_t head_ = 0;     // the entries before it are taken
  std::uint64_t first_ = 0;  // the number of sent_.front()
  std::uint64_t received_ = 0;
  std::optional<std::uint64_t> waits_for_;
  std::unique_ptr<Posts> posts_;
  MessageCount in_trace_;
};

class Channels {
 public:
  // `counts` must outlive this object.
  explicit Channels(const ByMessageKey<MessageCount>& counts) : counts_(counts) {}

  // The channel of a key of the trace. The reference stays valid.
  Channel& of(const MessageKey& key) {
    return recent_.of(key, [&]() -> Channel& { return look_up(key); });
  }

 private:
  Channel& look_up(const MessageKey& key) {
    const auto entry = channels_.find(key);
    if (entry != channels_.end()) return entry->second;
    return channels_.emplace(key, Channel(counts_.at(key))).first->second;
  }

  const ByMessageKey<MessageCount>& counts_;
  ByMessageKey<Channel> channels_;
  RecentEntries<Channel> recent_;
};

}  // namespace tutti::studies::replay
