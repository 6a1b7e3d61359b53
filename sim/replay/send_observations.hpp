// SPDX-License-Identifier: BSD-3-Clause
// Relates the end of each send, or of the wait for it, to the post of its receive, whichever
// happens first, and passes both on to a learner.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/receive_order.hpp"
#include "sim/replay/wait_rules.hpp"

namespace tutti::studies::replay {

class SendObservations {
 public:
  explicit SendObservations(WaitLearner& learner) : learner_(learner) {}

  struct Message {
    MessageNumber number;
    std::uint64_t bytes = 0;
  };
  // A call that completes these sends. `begin`: what else it waits for had happened.
  void ended(std::span<const Message> sends, Ticks begin, Ticks end) {
    if (sends.empty()) return;
    const auto call = std::make_shared<OfCall>(OfCall{begin, end, sends.size()});
    for (const Message& message : sends) {
      const auto post = posts_.extract(message.number);
      if (post.empty())
        waiting_[message.number] = {call, message.bytes};
      else
        meet(*call, message.bytes, post.mapped());
    }
  }
  void posted(const MessageNumber& number, Ticks time) {
    const auto send = waiting_.extract(number);
    if (send.empty())
      posts_[number] = time;
    else
      meet(*send.mapped().call, send.mapped().bytes, time);
  }

 private:
  struct OfCall {
    Ticks begin, end;
    std::size_t outstanding;
    Ticks latest = INT64_MIN;
    std::uint64_t bytes = 0;  // of the message whose receive was posted last
  };
  struct Send {
    std::shared_ptr<OfCall> call;
    std::uint64_t bytes = 0;
  };

  // A call ends after the last of the receives that it waits for; each receive that is posted after
  // its end shows that it does not wait for that one.
  void meet(OfCall& call, std::uint64_t bytes, Ticks posted) {
    --call.outstanding;
    if (posted > call.end) {
      learner_.send(bytes, call.begin, call.end, posted);
    } else if (posted >= call.latest) {
      call.latest = posted;
      call.bytes = bytes;
    }
    if (call.outstanding == 0 && call.latest != INT64_MIN)
      learner_.send(call.bytes, call.begin, call.end, call.latest);
  }

  WaitLearner& learner_;
  std::unordered_map<MessageNumber, Ticks, HashMessageNumber> posts_;
  std::unordered_map<MessageNumber, Send, HashMessageNumber> waiting_;
};

}  // namespace tutti::studies::replay
