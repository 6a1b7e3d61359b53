// SPDX-License-Identifier: BSD-3-Clause
// Determines the message that each receive gets. A trace contains the source and tag of a
// nonblocking receive only where it completes, and receives may complete in a different order than
// they were posted. MPI gives the n-th message of a key to the n-th posted receive.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/request_table.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

// The key by which MPI matches messages. Messages of one key are received in the order of sending.

using workloads::traces::Event;
using workloads::traces::EventKind;
using workloads::traces::Ticks;
using workloads::traces::TraceRank;

struct MessageKey {
  TraceRank from = 0;
  TraceRank to = 0;
  std::uint32_t comm = 0;
  std::uint32_t tag = 0;
  bool operator==(const MessageKey&) const = default;
};

// The key of the message that the event of `rank` sends or receives.
inline MessageKey key_of(TraceRank rank, const Event& event) {
  const bool sends = event.kind == EventKind::send || event.kind == EventKind::isend;
  return sends ? MessageKey{rank, event.id, event.comm, event.tag}
               : MessageKey{event.id, rank, event.comm, event.tag};
}

struct HashMessageKey {
  std::size_t operator()(const MessageKey& key) const {
    // Multiplying by odd numbers spreads the low bits to the high ones.
    std::uint64_t mixed = (std::uint64_t{key.from} << 32 | key.to) * 0x9e3779b97f4a7c15;
    mixed ^= (std::uint64_t{key.comm} << 32 | key.tag) * 0xc2b2ae3d27d4eb4f;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }
};

template <class Value>
using ByMessageKey = std::unordered_map<MessageKey, Value, HashMessageKey>;

// A cache of the entries of a ByMessageKey that were used last: a rank has few partners at a time.
// Entries must not be erased from the map.
template <class Value>
class RecentEntries {
 public:
  // `look_up` returns the reference from the map.
  template <class LookUp>
  Value& of(const MessageKey& key, const LookUp& look_up) {
    Entry& recent = recent_[HashMessageKey{}(key) % recent_.size()];
    if (recent.value == nullptr || !(recent.key == key)) recent = {key, &look_up()};
    return *recent.value;
  }

 private:
  struct Entry {
    MessageKey key;
    Value* value = nullptr;
  };
  std::array<Entry, 512> recent_ = {};
};

// The n-th message of a key, from 0 on.
struct MessageNumber {
  MessageKey key;
  std::uint64_t number = 0;
  bool operator==(const MessageNumber&) const = default;
};
struct HashMessageNumber {
  std::size_t operator()(const MessageNumber& message) const {
    return HashMessageKey{}(message.key) ^
           static_cast<std::size_t>(message.number * 0x165667b19e3779f9);
  }
};

// The receives of one rank. Memory is used only for receives in progress.
class ReceiveOrder {
 public:
  // A receive in the order of posting: its key, the number of its message among those of the key,
  // and its position in the order of completion on this rank, from 0.
  struct Placed {
    MessageKey key;
    std::uint64_t number = 0;
    std::uint64_t completion = 0;
    std::uint64_t completed_number = 0;  // the number that the order of completion would give
    std::uint64_t post = 0;  // position in the order of posting on this rank, incl. blocking ones
    std::uint64_t note = 0;  // the argument of complete()
  };

  // A receive in progress with this request number counts as cancelled.
  void post(std::uint64_t request) {
    cancel(request);
    under_way_[request] = first_ + posted_.size();
    posted_.emplace_back();
  }
  // False if the request was not posted.
  bool cancel(std::uint64_t request) {
    const std::uint64_t* place = under_way_.find(request);
    if (place == nullptr) return false;
    posted_[*place - first_].state = State::cancelled;
    return under_way_.erase(request);
  }
  bool complete(std::uint64_t request, const MessageKey& key, std::uint64_t note = 0) {
    const std::uint64_t* place = under_way_.find(request);
    if (place == nullptr) return false;
    take(posted_[*place - first_], key, note);
    return under_way_.erase(request);
  }
  // A blocking receive.
  void receive(const MessageKey& key, std::uint64_t note = 0) {
    posted_.emplace_back();
    take(posted_.back(), key, note);
  }

  // Processes any event of the rank.
  void take(TraceRank rank, const Event& event, std::uint64_t note = 0) {
    if (event.kind == EventKind::irecv_request) post(event.request);
    if (event.kind == EventKind::request_cancelled) cancel(event.request);
    if (event.kind == EventKind::irecv && !complete(event.request, key_of(rank, event), note))
      receive(key_of(rank, event), note);
    if (event.kind == EventKind::recv) receive(key_of(rank, event), note);
  }

  // Visits the receives whose message is known, in the order of posting.
  template <class Visit>
  void each_placed(const Visit& visit) {
    while (!posted_.empty() && posted_.front().state != State::waiting) {
      Posted& front = posted_.front();
      if (front.state == State::completed) {
        front.placed.number = front.counts->placed++;
        front.placed.post = first_;
        visit(front.placed);
      }
      posted_.pop_front();
      ++first_;
    }
  }

  // Ends the receives in progress, which never complete.
  void finish() {
    under_way_.each([&](std::uint64_t, std::uint64_t place) {
      posted_[place - first_].state = State::cancelled;
    });
    under_way_.clear();
  }

  std::size_t under_way() const { return under_way_.size(); }
  // Number of posted receives, including blocking ones.
  std::uint64_t posts() const { return first_ + posted_.size(); }
  // each_placed() has visited all receives posted before this one that ever complete.
  std::uint64_t first_waiting() const { return first_; }

 private:
  enum class State : std::uint8_t { waiting, completed, cancelled };
  struct Counts {  // of the messages of a key
    std::uint64_t completed = 0, placed = 0;
  };
  struct Posted {
    State state = State::waiting;
    Placed placed;
    Counts* counts = nullptr;
  };

  void take(Posted& posted, const MessageKey& key, std::uint64_t note) {
    posted.state = State::completed;
    posted.counts = &counts_[key];
    posted.placed = {.key = key,
                     .completion = completions_++,
                     .completed_number = posted.counts->completed++,
                     .note = note};
  }

  std::deque<Posted> posted_;  // from the first one that is not placed
  std::uint64_t first_ = 0;
  std::uint64_t completions_ = 0;
  RequestTable<std::uint64_t> under_way_;  // positions in the order of posting
  ByMessageKey<Counts> counts_;
};

// Finds the message of a receive at the time of posting. A trace contains the source and the tag of
// a nonblocking receive only at its completion, so this class reads ahead until then.

class ReceivesAhead {
 public:
  enum class Which : std::uint8_t { nonblocking, all };
  ReceivesAhead(const workloads::traces::Trace& trace, TraceRank rank,
                Which which = Which::nonblocking)
      : events_(trace.events, rank), rank_(rank), which_(which) {}

  struct Receive {
    MessageKey key;
    std::uint64_t number = 0;  // of the messages of that key
    std::uint64_t bytes = 0;
  };
  // The receive of the rank's next event of kind irecv_request (or recv, if those are included);
  // empty if it never completes.
  std::optional<Receive> next() {
    auto receive = peek();
    requested_.pop_front();
    return receive;
  }
  // The same without advancing; empty at the end.
  std::optional<Receive> peek() {
    while (!is_over_ && (requested_.empty() || !is_placed(requested_.front()))) read();
    if (requested_.empty()) return std::nullopt;
    const std::uint64_t post = requested_.front();
    while (!placed_.empty() && placed_.front().post < post) placed_.pop_front();
    if (placed_.empty() || placed_.front().post != post) return std::nullopt;
    return Receive{placed_.front().key, placed_.front().number, placed_.front().note};
  }

 private:
  // Whether everything that was posted before is placed, or never will be.
  bool is_placed(std::uint64_t post) const { return order_.first_waiting() > post; }

  void read() {
    const Event* event = events_.next();
    if (event == nullptr) {
      is_over_ = true;
      order_.finish();
    } else {
      if (event->kind == EventKind::irecv_request ||
          (event->kind == EventKind::recv && which_ == Which::all))
        requested_.push_back(order_.posts());
      order_.take(rank_, *event, event->bytes);
    }
    order_.each_placed([&](const ReceiveOrder::Placed& receive) { placed_.push_back(receive); });
  }

  EventReader events_;
  TraceRank rank_;
  Which which_;
  ReceiveOrder order_;
  std::deque<std::uint64_t> requested_;  // posts that were read, but not yet returned by next()
  std::deque<ReceiveOrder::Placed> placed_;
  bool is_over_ = false;
};

}  // namespace tutti::studies::replay
