// SPDX-License-Identifier: BSD-3-Clause
// Exchanges with all other ranks (exchange.hpp) that are simulated as a whole. A rank's clock
// depends on nothing but itself while it posts its messages. So its clock after the last send is
// computed at once, but each message is sent when the engine's time has reached its send. Receives
// are charged as they complete, which is the order of wait_all. Only messages in flight have
// records.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/exchange.hpp"
#include "sim/runtime/job_state.hpp"
#include "sim/runtime/local_work.hpp"
#include "sim/runtime/message_costs.hpp"

namespace tutti::runtime {

// A set of numbers from 0 that are inserted roughly in ascending order: memory is needed only from
// the first missing to the last inserted one.
class AscendingSet {
 public:
  bool contains(std::uint32_t number) const {
    const std::uint32_t word = number / bits;
    if (word < complete_) return true;
    return word - complete_ < words_.size() && (words_[word - complete_] >> number % bits & 1) != 0;
  }
  void insert(std::uint32_t number) {
    const std::size_t word = number / bits - complete_;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= std::uint64_t{1} << number % bits;
    const auto open = std::ranges::find_if(words_, [](std::uint64_t mask) { return ~mask != 0; });
    complete_ += static_cast<std::uint32_t>(open - words_.begin());
    words_.erase(words_.begin(), open);
  }

 private:
  static constexpr std::uint32_t bits = 64;
  std::uint32_t complete_ = 0;  // number of words without gaps before `words_`
  std::vector<std::uint64_t> words_;
};

class WholeExchanges {
 public:
  struct Send {
    RankId to = 0;
    Slice data;
  };

  WholeExchanges(JobState& job, const MessageCosts& costs, const LocalWork& local_work)
      : job_(job), costs_(costs), local_work_(local_work) {}

  // Number of messages in flight above which an exchange throws an error of kind run; 0: none.
  void limit_messages(std::int64_t most) { most_messages_ = most; }

  // Begins an exchange. False if it cannot be simulated as a whole. `args` must outlive the
  // exchange.
  bool start(RankId rank, const ExchangeArgs& args);
  bool has_sends(RankId rank) const { return running_[rank].to_send > 0; }
  // The next message that the rank sends.
  Send take_send(RankId rank);
  // Whether the destination is in an exchange and has not received a message of this source.
  bool expects(const MessageRecord& message) const;
  // Matches a message with its receive. Returns the time at which the receive was posted.
  Seconds match(MessageRecord& message);
  // The size of the receive of a message.
  Bytes buffer_bytes(const MessageRecord& message) const {
    return running_[message.destination].args->blocks.from(message.source).bytes;
  }
  // Charges a completed receive, and frees its message.
  void receive(MessageId id);
  void wake_if_complete(RankId rank);
  // Sets the rank's clock to the end of its exchange.
  void finish(RankId rank);

  // The first rank whose message is missing; unset if the rank is not in an exchange.
  std::optional<RankId> first_missing_source(RankId rank) const;

 private:
  // The exchange of a rank.
  struct Running {
    const ExchangeArgs* args = nullptr;  // null: the rank is in none
    Seconds posted_s = 0;                // when its receives were posted
    // The rank's clock once it has posted all sends and been charged for the receives so far.
    Seconds clock_s = 0;
    RankId next_to = 0;
    RankId to_send = 0;     // messages
    RankId to_receive = 0;  // messages that have not arrived
    AscendingSet matched;   // positions of sources in the order of receives
  };

  bool is_possible(RankId rank, const ExchangeArgs& args) const;
  std::optional<Seconds> clock_after_sends(RankId rank, const ExchangeArgs& args) const;
  std::uint32_t position(RankId rank, RankId source) const;

  JobState& job_;
  const MessageCosts& costs_;
  const LocalWork& local_work_;
  std::vector<Running> running_;  // by rank; empty before the first
  std::int64_t most_messages_ = 0;
};

}  // namespace tutti::runtime
