// SPDX-License-Identifier: BSD-3-Clause
// Credits of eager messages: each message needs one of the buffers that its receiver has for its
// sender, and waits at the sender without one. State is kept only for pairs of ranks with messages
// in flight.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/runtime/pool.hpp"
#include "sim/runtime/transport.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

class EagerCredits {
 public:
  // A buffer has become free, and its sender knows at `date_s`.
  struct Return {
    RankId source = 0;
    RankId destination = 0;
    Seconds date_s = 0;
    bool is_over = false;  // already processed in a tie with another one
  };

  explicit EagerCredits(RankId ranks) : waits_(static_cast<std::size_t>(ranks)) {}

  // Takes one of `credits` for a message; false if there is none, and the message waits.
  bool take(RankId source, RankId destination, std::uint32_t credits, MessageId message) {
    const std::uint64_t pair = pair_of(source, destination);
    std::uint32_t& under_way = under_way_[pair];
    if (under_way < credits) {
      ++under_way;
      return true;
    }
    waiting_[pair].push_back(message);
    return false;
  }

  // Announces the return of a credit, and returns its index, for `arrived` at its time.
  std::uint32_t announce(const Return& credit) {
    const std::uint32_t index = returns_.take();
    returns_[index] = credit;
    announced_[credit.source].push_back(index);
    return index;
  }
  // Returns the credits that return to a sender at the same time, ordered by receiver, so that the
  // sender's NIC is used in the same order in every engine. The first index of a tie returns all of
  // its credits, the other ones return nothing.
  std::vector<Return> arrived(std::uint32_t index) {
    const Return first = returns_[index];
    returns_.give_back(index);
    std::vector<Return> tied;
    if (first.is_over) return tied;
    const auto announced = announced_.find(first.source);
    std::erase_if(announced->second, [&](std::uint32_t other) {
      Return& credit = returns_[other];
      if (credit.date_s > after_ties(first.date_s)) return false;
      credit.is_over = true;
      tied.push_back(credit);
      return true;
    });
    if (announced->second.empty()) announced_.erase(announced);
    std::ranges::sort(tied, {}, &Return::destination);
    return tied;
  }

  // Gives the credit to the oldest waiting message and returns it; no_record if none waits.
  MessageId pass_on(const Return& credit) {
    const std::uint64_t pair = pair_of(credit.source, credit.destination);
    const auto waiting = waiting_.find(pair);
    if (waiting == waiting_.end()) {
      const auto under_way = under_way_.find(pair);
      if (--under_way->second == 0) under_way_.erase(under_way);
      return no_record;
    }
    const MessageId first = waiting->second.front();
    waiting->second.pop_front();
    if (waiting->second.empty()) waiting_.erase(waiting);
    return first;
  }

  // The first time from `now_s` at which the MPI library of a rank makes progress, which it does
  // only while the rank waits. `clock_s` is the rank's clock at the beginning of its wait. At the
  // end of a wait, the result does not depend on whether the rank has already continued.
  Seconds works_at(RankId rank, Seconds now_s, Seconds clock_s) const {
    const Wait& last = waits_[static_cast<std::size_t>(rank)];
    return std::max(now_s, now_s <= after_ties(last.over_s) ? last.begin_s : clock_s);
  }
  // Records the end of a wait that began when the rank's clock was at `begin_s`.
  void end_of_wait(RankId rank, Seconds now_s, Seconds begin_s) {
    Wait& last = waits_[static_cast<std::size_t>(rank)];
    if (now_s > after_ties(last.over_s)) last = {.over_s = now_s, .begin_s = begin_s};
  }

 private:
  struct Wait {
    Seconds over_s = -1;
    Seconds begin_s = 0;
  };

  static std::uint64_t pair_of(RankId source, RankId destination) {
    return std::uint64_t{static_cast<std::uint32_t>(source)} << 32 |
           static_cast<std::uint32_t>(destination);
  }

  std::unordered_map<std::uint64_t, std::uint32_t> under_way_;  // messages in flight by pair
  std::unordered_map<std::uint64_t, std::deque<MessageId>> waiting_;
  Pool<Return> returns_;
  std::unordered_map<RankId, std::vector<std::uint32_t>> announced_;  // returns, by sender
  std::vector<Wait> waits_;                                           // the last one of each rank
};

}  // namespace tutti::runtime
