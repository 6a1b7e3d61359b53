// SPDX-License-Identifier: BSD-3-Clause
// What the end of a job depended on: a chain of local work and messages that tiles the time from 0
// to the end of the rank that ends last. Every rank carries the chain of its own clock along; a
// wait puts in its place that of the message that ended it, which goes on from
//   - its sender, when it was sent, or
//   - its receiver, if the bytes could not move before the receive was posted (a late receiver).
// So only chains of what is still under way are kept, and most of them are common to many ranks.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/inside/rank_trace.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::engines {

// Parts of a message's time on the path, in this order.
enum class Transit : std::uint8_t {
  nic,        // eager: until the receiver has a buffer and the sender's card (or memory bus) has
              // sent what came before
  handshake,  // rendezvous: request, answer, memory registration
  latency,    // of the data
  transfer,   // at the bandwidth of the path
  sharing     // what the flow took longer, since links were shared
};
inline constexpr std::size_t transit_parts = 5;

struct PathStep {
  enum class Kind : std::uint8_t { work, message };
  Seconds begin_s = 0;  // where the step before ends
  Seconds end_s = 0;
  std::array<Seconds, runtime::work_kinds> parts{};  // by Work or Transit; their sum is the step
  Bytes bytes = 0;
  runtime::RankId source = 0;  // the working rank
  runtime::RankId destination = 0;
  std::int32_t tag = 0;
  Kind kind = Kind::work;
  platforms::Protocol protocol = platforms::Protocol::eager;
  bool late_receiver = false;
  Seconds waited_s = 0;  // of a late receiver: so long the message was ready
};

class CriticalPath : public runtime::TimestampObserver {
 public:
  // Steps kept at once; beyond, the path is given up.
  static constexpr std::uint32_t most_steps = 1 << 24;

  explicit CriticalPath(runtime::RankId ranks, std::uint32_t most = most_steps);

  void on_work(runtime::RankId rank, runtime::Work kind, Seconds begin_s, Seconds end_s) override;
  void on_sent(const runtime::TimedMessage& message) override;
  void on_credit(runtime::MessageId message, Seconds date_s) override;
  void on_injected(runtime::MessageId message, Seconds date_s) override;
  void on_receive_posted(runtime::RankId rank, std::uint32_t request) override;
  void on_match(const runtime::Match& match) override;
  void on_flow_start(runtime::MessageId message, Seconds date_s) override;
  void on_flow_end(runtime::MessageId message, Seconds date_s) override;
  void on_completion(const runtime::Completion& completion) override;

  // The path is that of this rank's clock as it stands, if no other rank that this is told of ends
  // later: for programs that go on after what is looked at. Else it is that of the last end.
  void end_at(runtime::RankId rank);

  // There were more than `most` steps at once: there is no path.
  bool is_given_up() const { return given_up_; }
  // The rank that ends last; of several within runtime::after_ties the smallest.
  runtime::RankId last_rank() const;
  // Its path from 0 on. Valid once the job has ended.
  std::vector<PathStep> steps() const;

 private:
  using NodeId = std::uint32_t;
  static constexpr NodeId none = UINT32_MAX;

  struct Node {
    PathStep step;
    NodeId before = none;
    std::uint32_t users = 0;
  };
  // The rank's last stretch of work, behind `head`.
  struct RankState {
    NodeId head = none;
    Seconds begin_s = 0;
    Seconds clock_s = 0;
    std::array<Seconds, runtime::work_kinds> work{};
  };
  struct Message {
    runtime::TimedMessage sent;
    NodeId cause = none;  // what it goes on from; once it has arrived, its own step
    Seconds begin_s = 0;  // when that was
    Seconds injected_s = 0;
    Seconds flow_start_s = 0;
    Seconds waited_s = 0;
    bool late_receiver = false;
  };

  struct Held {
    NodeId node = none;
  };
  struct End {
    runtime::RankId rank = 0;
    Seconds end_s = 0;
    NodeId node = none;
  };

  NodeId add(const PathStep& step, NodeId before);
  void release(NodeId node);
  void hold(NodeId& slot, NodeId node);
  NodeId until_now(runtime::RankId rank);
  PathStep step_of(const Message& message, Seconds end_s) const;

  std::uint32_t most_;
  std::vector<Node> nodes_;
  std::vector<NodeId> free_;
  std::vector<RankState> ranks_;
  ByIndex<Message> messages_;
  ByIndex<Held> of_request_;  // a receive: where it was posted; a send: its message's step
  std::optional<End> end_;    // of end_at
  bool given_up_ = false;
};

}  // namespace tutti::engines
