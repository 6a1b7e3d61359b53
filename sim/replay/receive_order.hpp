// SPDX-License-Identifier: BSD-3-Clause
// Which message a receive gets. A trace tells source and tag of a non-blocking receive only where
// it completes, and receives may complete in another order than they were posted in; MPI gives the
// n-th message of a key to the receive that was posted n-th.
#pragma once

#include <deque>

#include "sim/replay/message_key.hpp"
#include "sim/replay/request_table.hpp"

namespace tutti::studies::replay {

// Of one rank, receive by receive; memory for those under way.
class ReceiveOrder {
 public:
  // A receive, as it was posted: its key, the message's number of that key, and which receive it
  // was in the order of their completion on this rank, from 0 on.
  struct Placed {
    MessageKey key;
    std::uint64_t number = 0;
    std::uint64_t completion = 0;
    std::uint64_t completed_number = 0;  // the number, if order of completion were that of posting
    std::uint64_t post = 0;              // in the order of posting on this rank, blocking ones too
    std::uint64_t note = 0;              // what `complete` was told
  };

  // Of one that is under way with this request nothing more will be told.
  void post(std::uint64_t request) {
    cancel(request);
    under_way_[request] = first_ + posted_.size();
    posted_.emplace_back();
  }
  // Of a request that was not posted: false.
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

  // An event of the rank, whatever it is.
  void take(TraceRank rank, const Event& event, std::uint64_t note = 0) {
    if (event.kind == EventKind::irecv_request) post(event.request);
    if (event.kind == EventKind::request_cancelled) cancel(event.request);
    if (event.kind == EventKind::irecv && !complete(event.request, key_of(rank, event), note))
      receive(key_of(rank, event), note);
    if (event.kind == EventKind::recv) receive(key_of(rank, event), note);
  }

  // Receives whose place is known, in the order of posting.
  template <class Visit>
  void each_placed(const Visit& visit) {
    while (!posted_.empty() && posted_.front().state != State::waiting) {
      Posted& front = posted_.front();
      if (front.state == State::completed) {
        front.placed.number = placed_[front.placed.key]++;
        front.placed.post = first_;
        visit(front.placed);
      }
      posted_.pop_front();
      ++first_;
    }
  }

  // What is under way never completes.
  void finish() {
    under_way_.each([&](std::uint64_t, std::uint64_t place) {
      posted_[place - first_].state = State::cancelled;
    });
    under_way_.clear();
  }

  std::size_t under_way() const { return under_way_.size(); }
  // How many were posted, blocking ones too.
  std::uint64_t posts() const { return first_ + posted_.size(); }
  // Of those before, each_placed has told all that it ever will.
  std::uint64_t first_waiting() const { return first_; }

 private:
  enum class State : std::uint8_t { waiting, completed, cancelled };
  struct Posted {
    State state = State::waiting;
    Placed placed;
  };

  void take(Posted& posted, const MessageKey& key, std::uint64_t note) {
    posted.state = State::completed;
    posted.placed = {.key = key,
                     .completion = completions_++,
                     .completed_number = completed_[key]++,
                     .note = note};
  }

  std::deque<Posted> posted_;  // from the first one that is not placed
  std::uint64_t first_ = 0;
  std::uint64_t completions_ = 0;
  RequestTable<std::uint64_t> under_way_;  // their places
  ByMessageKey<std::uint64_t> completed_, placed_;
};

}  // namespace tutti::studies::replay
