// SPDX-License-Identifier: BSD-3-Clause
// The critical path of a job: a chain of local work and messages that covers the time from 0 to the
// end of the rank that ends last. Every rank has the chain of its own clock; a wait replaces it by
// the chain of the message that ended the wait, which continues that of
//   - its sender, at the time of sending, or
//   - its receiver, if the bytes could not move before the receive was posted (a late receiver).
// So only the chains of current activities are stored, and ranks share most of their steps.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/inside/rank_trace.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::engines {

// Parts of a message's time on the path, in this order.
enum class Transit : std::uint8_t {
  nic,  // eager: until the receiver has a buffer and the sender's NIC (or memory bus) has sent
        // the previous message
  handshake,  // rendezvous: request, reply, memory registration
  latency,    // of the data
  transfer,   // at the bandwidth of the path
  sharing,    // additional time of the flow because of shared links
  ack         // rendezvous by reads: until the sender knows that the receiver has read the data
};
inline constexpr std::size_t transit_parts = 6;

struct PathStep {
  enum class Kind : std::uint8_t { work, message };
  Seconds begin_s = 0;  // the end of the previous step
  Seconds end_s = 0;
  std::array<Seconds, runtime::work_kinds> parts{};  // by Work or Transit; their sum is the step
  Bytes bytes = 0;
  runtime::RankId source = 0;  // the working rank
  runtime::RankId destination = 0;
  std::int32_t tag = 0;
  Kind kind = Kind::work;
  platforms::Protocol protocol = platforms::Protocol::eager;
  bool late_receiver = false;
  Seconds waited_s = 0;  // late receiver: time for which the message was ready
};

class CriticalPath : public runtime::TimestampObserver {
 public:
  // Maximum number of stored steps; beyond it, the path is abandoned.
  static constexpr std::uint32_t most_steps = 1 << 24;

  explicit CriticalPath(runtime::RankId ranks, std::uint32_t most = most_steps);

  void on_work(runtime::RankId rank, runtime::Work kind, Seconds begin_s, Seconds end_s) override;
  void on_sent(const runtime::TimedMessage& message) override;
  void on_credit(runtime::MessageId message, Seconds date_s) override;
  void on_injected(runtime::MessageId message, Seconds date_s) override;
  void on_receive_posted(runtime::RankId rank, std::uint32_t request, Seconds date_s) override;
  void on_clock_set(runtime::RankId rank) override;
  void on_match(const runtime::Match& match) override;
  void on_flow_start(runtime::MessageId message, Seconds date_s) override;
  void on_flow_end(runtime::MessageId message, Seconds date_s) override;
  void on_completion(const runtime::Completion& completion) override;

  // Ends the path at the current clock of this rank, unless this function is called for another
  // rank that ends later. For programs that continue after the observed part.
  void end_at(runtime::RankId rank);

  // True if more than `most` steps had to be stored; there is no path then.
  bool is_given_up() const { return given_up_; }
  // The rank that ends last; of several within runtime::after_ties the smallest one.
  runtime::RankId last_rank() const;
  // The path to its end: steps that cover the time from 0 to the end of the last rank without gaps,
  // and whose parts add up to them. Valid once the job has ended.
  std::vector<PathStep> steps() const;

 private:
  using NodeId = std::uint32_t;
  static constexpr NodeId none = UINT32_MAX;

  struct Node {
    PathStep step;
    NodeId before = none;
    std::uint32_t users = 0;
  };
  // The rank's last period of work, after `head`.
  struct RankState {
    NodeId head = none;
    NodeId sent = none;  // the step that completed a send while the rank was working
    Seconds begin_s = 0;
    Seconds clock_s = 0;
    std::array<Seconds, runtime::work_kinds> work{};
  };
  struct Message {
    runtime::TimedMessage sent;
    NodeId cause = none;  // the step that it continues; once it has arrived, its own step
    Seconds begin_s = 0;  // end of the step that it continues
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
  NodeId until(runtime::RankId rank, Seconds date_s);
  Seconds step_end_s(NodeId node) const { return node == none ? 0 : nodes_[node].step.end_s; }
  PathStep message_step(const Message& message, Seconds end_s) const;

  std::uint32_t most_;
  std::vector<Node> nodes_;
  std::vector<NodeId> free_;
  std::vector<RankState> ranks_;
  ByIndex<Message> messages_;
  ByIndex<Held> of_request_;  // of a receive: step of its posting; of a send: its message's step
  std::optional<End> end_;    // set by end_at
  bool given_up_ = false;
};

}  // namespace tutti::engines
