// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/inside/critical_path.hpp"

#include "sim/runtime/protocol_core.hpp"

namespace tutti::engines {

using platforms::Protocol;
using runtime::MessageId;
using runtime::RankId;
using runtime::Work;

namespace {

// Times of the engines are exact to a few units in the last place.
constexpr double relative_rounding = 1e-9;

Seconds& part(PathStep& step, Transit which) { return step.parts[static_cast<std::size_t>(which)]; }

// Whether two steps are adjacent periods of work of one rank, which are merged.
bool goes_on(const PathStep& earlier, const PathStep& later) {
  return earlier.kind == PathStep::Kind::work && later.kind == PathStep::Kind::work &&
         earlier.source == later.source;
}

}  // namespace

CriticalPath::CriticalPath(RankId ranks, std::uint32_t most)
    : most_(most), ranks_(static_cast<std::size_t>(ranks)) {}

// ---- chains: every node has its predecessor, and a reference count ----

CriticalPath::NodeId CriticalPath::add(const PathStep& step, NodeId before) {
  if (free_.empty() && nodes_.size() >= most_) {
    given_up_ = true;
    return none;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<NodeId>(nodes_.size()));
    nodes_.emplace_back();
  }
  const NodeId id = free_.back();
  free_.pop_back();
  nodes_[id] = {.step = step};
  hold(nodes_[id].before, before);
  return id;
}

void CriticalPath::release(NodeId node) {
  while (node != none && --nodes_[node].users == 0) {
    free_.push_back(node);
    node = std::exchange(nodes_[node].before, none);
  }
}

void CriticalPath::hold(NodeId& slot, NodeId node) {
  if (node != none) ++nodes_[node].users;
  release(std::exchange(slot, node));
}

// The chain of the rank up to its clock.
CriticalPath::NodeId CriticalPath::until_now(RankId rank) {
  RankState& state = ranks_[static_cast<std::size_t>(rank)];
  if (state.clock_s > state.begin_s) {
    hold(state.head, add({.begin_s = state.begin_s,
                          .end_s = state.clock_s,
                          .parts = state.work,
                          .source = rank,
                          .destination = rank},
                         state.head));
    state.begin_s = state.clock_s;
    state.work = {};
  }
  return state.head;
}

// The chain of the rank up to a time to which it has set its clock back: the end of one of its
// operations, or of a send.
CriticalPath::NodeId CriticalPath::until(RankId rank, Seconds date_s) {
  NodeId node = until_now(rank);
  while (step_end_s(node) > runtime::after_ties(date_s)) node = nodes_[node].before;
  const NodeId sent = ranks_[static_cast<std::size_t>(rank)].sent;
  if (step_end_s(sent) > runtime::after_ties(step_end_s(node)) &&
      step_end_s(sent) <= runtime::after_ties(date_s))
    node = sent;
  TUTTI_CHECK(runtime::after_ties(step_end_s(node)) >= date_s,
              "a chain lasts until a receive is posted");
  return node;
}

// ---- events ----

void CriticalPath::on_work(RankId rank, Work kind, Seconds begin_s, Seconds end_s) {
  RankState& state = ranks_[static_cast<std::size_t>(rank)];
  state.work[static_cast<std::size_t>(kind)] += end_s - begin_s;
  state.clock_s = end_s;
}

void CriticalPath::on_sent(const runtime::TimedMessage& sent) {
  if (given_up_) return;
  Message& message = messages_[sent.id];
  hold(message.cause, until_now(sent.source));
  message.sent = sent;
  message.begin_s = message.injected_s = sent.sent_s;
  message.waited_s = 0;
  message.late_receiver = false;
}

// A wait for the send ends with the credit, not with the message's end.
void CriticalPath::on_credit(MessageId id, Seconds date_s) {
  if (given_up_) return;
  const Message& message = messages_[id];
  PathStep step{.begin_s = message.begin_s,
                .end_s = date_s,
                .bytes = message.sent.bytes,
                .source = message.sent.source,
                .destination = message.sent.destination,
                .tag = message.sent.tag,
                .kind = PathStep::Kind::message,
                .protocol = Protocol::eager};
  part(step, Transit::nic) = date_s - message.begin_s;
  hold(of_request_[message.sent.send_request].node, add(step, message.cause));
}

void CriticalPath::on_injected(MessageId id, Seconds date_s) { messages_[id].injected_s = date_s; }

void CriticalPath::on_receive_posted(RankId rank, std::uint32_t request, Seconds date_s) {
  if (!given_up_) hold(of_request_[request].node, until(rank, date_s));
}

// So that the chain has an end at the end of each operation.
void CriticalPath::on_clock_set(RankId rank) {
  if (!given_up_) until_now(rank);
}

void CriticalPath::on_match(const runtime::Match& match) {
  Message& message = messages_[match.message];
  NodeId& posted = of_request_[match.request].node;
  const bool eager = message.sent.protocol == Protocol::eager;
  // Without a handshake, a message continues its receive or its send, whichever is later.
  const Seconds ready_s = message.sent.has_handshake ? match.known_s : message.sent.sent_s;
  if (!eager && match.posted_s > runtime::after_ties(ready_s)) {
    hold(message.cause, posted);
    message.begin_s = step_end_s(posted);
    message.waited_s = match.posted_s - ready_s;
    message.late_receiver = true;
  }
  hold(posted, none);
}

void CriticalPath::on_flow_start(MessageId id, Seconds date_s) {
  Message& message = messages_[id];
  message.flow_start_s = date_s;
  // It has waited for the previous message to the same rank.
  if (date_s > runtime::after_ties(message.injected_s + message.sent.latency_s))
    message.injected_s = date_s - message.sent.latency_s;
}

void CriticalPath::on_flow_end(MessageId id, Seconds date_s) {
  if (given_up_) return;
  Message& message = messages_[id];
  const PathStep step = message_step(message, date_s);
  const NodeId arrived = add(step, message.cause);
  if (message.sent.protocol == Protocol::rendezvous) {
    PathStep acked = step;
    acked.end_s += message.sent.ack_s;
    part(acked, Transit::ack) = message.sent.ack_s;
    hold(of_request_[message.sent.send_request].node,
         message.sent.ack_s > 0 ? add(acked, message.cause) : arrived);
  }
  hold(message.cause, arrived);
}

// In an eager message, any time before the flow that is not latency or overhead is rounding.
PathStep CriticalPath::message_step(const Message& message, Seconds end_s) const {
  const runtime::TimedMessage& sent = message.sent;
  PathStep step{.begin_s = message.begin_s,
                .end_s = end_s,
                .bytes = sent.bytes,
                .source = sent.source,
                .destination = sent.destination,
                .tag = sent.tag,
                .kind = PathStep::Kind::message,
                .protocol = sent.protocol,
                .late_receiver = message.late_receiver,
                .waited_s = message.waited_s};
  const Seconds before_s = message.flow_start_s - message.begin_s;
  const Seconds flow_s = end_s - message.flow_start_s;
  if (sent.protocol == Protocol::eager) {
    part(step, Transit::nic) = message.injected_s - message.begin_s;
    part(step, Transit::latency) = message.flow_start_s - message.injected_s;
  } else {
    part(step, Transit::latency) =
        sent.has_handshake ? std::min(sent.latency_s, before_s) : before_s;
    part(step, Transit::handshake) = before_s - part(step, Transit::latency);
  }
  const Seconds alone_s = sent.link_bytes / sent.bandwidth_Bps;
  const bool shared =
      flow_s > alone_s + std::max(relative_rounding * flow_s, runtime::tie_window_s);
  part(step, Transit::transfer) = shared ? alone_s : flow_s;
  part(step, Transit::sharing) = shared ? flow_s - alone_s : 0;
  return step;
}

void CriticalPath::on_completion(const runtime::Completion& completion) {
  if (given_up_) return;
  RankState& state = ranks_[static_cast<std::size_t>(completion.rank)];
  const bool is_send = completion.message == runtime::no_record;
  NodeId& cause =
      is_send ? of_request_[completion.request].node : messages_[completion.message].cause;
  if (completion.end_s > runtime::after_ties(completion.begin_s)) {
    hold(state.head, cause);
    state.begin_s = completion.end_s;
    state.work = {};
  } else {  // a tie, in which the rank's own work is equally valid
    state.work[static_cast<std::size_t>(Work::recv_overhead)] +=
        completion.end_s - completion.begin_s;
    if (is_send) hold(state.sent, cause);
  }
  state.clock_s = completion.end_s;
  hold(cause, none);
}

void CriticalPath::end_at(RankId rank) {
  if (given_up_) return;
  const Seconds end_s = ranks_[static_cast<std::size_t>(rank)].clock_s;
  const bool is_later = !end_ || end_s > runtime::after_ties(end_->end_s) ||
                        (rank < end_->rank && runtime::after_ties(end_s) >= end_->end_s);
  if (!is_later) return;
  if (!end_) end_ = End{};
  end_->rank = rank;
  end_->end_s = end_s;
  hold(end_->node, until_now(rank));
}

// ---- result ----

RankId CriticalPath::last_rank() const {
  if (end_) return end_->rank;
  Seconds end_s = 0;
  for (const RankState& rank : ranks_) end_s = std::max(end_s, rank.clock_s);
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
    if (runtime::after_ties(ranks_[rank].clock_s) >= end_s) return static_cast<RankId>(rank);
  return 0;
}

std::vector<PathStep> CriticalPath::steps() const {
  std::vector<PathStep> steps;
  if (given_up_) return steps;
  const RankId last = last_rank();
  const RankState& state = ranks_[static_cast<std::size_t>(last)];
  Seconds begin_s = end_ ? end_->end_s : state.clock_s;  // of the last step so far
  const auto add_earlier = [&](const PathStep& step) {
    const Seconds sum_s = std::accumulate(step.parts.begin(), step.parts.end(), 0.0);
    TUTTI_CHECK(step.end_s == begin_s, "the steps of a critical path leave no gaps");
    TUTTI_CHECK(std::abs(step.end_s - step.begin_s - sum_s) <= relative_rounding * step.end_s,
                "the parts of a step add up to it");
    begin_s = step.begin_s;
    if (steps.empty() || !goes_on(step, steps.back())) return steps.push_back(step);
    steps.back().begin_s = step.begin_s;
    for (std::size_t i = 0; i < step.parts.size(); ++i) steps.back().parts[i] += step.parts[i];
  };
  if (!end_ && state.clock_s > state.begin_s)
    add_earlier({.begin_s = state.begin_s,
                 .end_s = state.clock_s,
                 .parts = state.work,
                 .source = last,
                 .destination = last});
  for (NodeId id = end_ ? end_->node : state.head; id != none; id = nodes_[id].before)
    add_earlier(nodes_[id].step);
  TUTTI_CHECK(begin_s == 0, "a critical path begins with the job");
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace tutti::engines
