// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/timeline_calls.hpp"

#include <algorithm>

namespace tutti::studies::replay {

using workloads::traces::none;

Times TimelineCall::waits() const {
  const auto inside = [](Ticks until, Ticks from, Ticks to) {
    return std::clamp<Ticks>(std::min(until, to) - from, 0, to - from);
  };
  return {cause.before == INT64_MIN ? 0 : inside(cause.before, enter.before, leave.before),
          cause.after == INT64_MIN ? 0 : inside(cause.after, enter.after, leave.after)};
}

TimelineCalls::TimelineCalls(const workloads::traces::Trace& trace, const TraceScan& scan,
                             const std::vector<bool>& is_wanted, Listener listener)
    : trace_(trace),
      scan_(scan),
      is_wanted_(is_wanted),
      listener_(std::move(listener)),
      members_(trace.definitions),
      channels_(scan.messages),
      ranks_(is_wanted.size()) {}

void TimelineCalls::enter(TraceRank rank, const Times& time) {
  ranks_[rank].open = {.call = {.rank = rank, .enter = time, .leave = {}}, .awaited = {}};
}

void TimelineCalls::inside(TraceRank rank, const Event& event, Ticks after, bool keeps) {
  auto& doing = ranks_[rank].open.call.doing;
  switch (event.kind) {
    case EventKind::send:
    case EventKind::isend: {
      const MessageKey key = key_of(rank, event);
      if (key.to < is_wanted_.size() && is_wanted_[key.to])
        channels_.of(key).send({.sent = {event.time, keeps ? after : INT64_MIN}, .enter = {}});
      break;
    }
    case EventKind::recv:
    case EventKind::irecv:
      receive(rank, event, after, keeps);
      break;
    case EventKind::collective_end:
      collective(rank, event, keeps);
      doing = Doing::collective;
      return;
    case EventKind::isend_complete:
    case EventKind::irecv_request:
    case EventKind::request_test:
    case EventKind::request_cancelled:
      break;
    default:
      return;
  }
  if (doing == Doing::other_call) doing = Doing::point_to_point;
}

void TimelineCalls::receive(TraceRank rank, const Event& event, Ticks after, bool keeps) {
  if (!is_wanted_[rank]) return;
  OfRank& me = ranks_[rank];
  const MessageKey key = key_of(rank, event);
  const auto& reordered = scan_.ranks[rank].reordered;
  const auto other = reordered.find(me.completions++);
  const std::uint64_t in_order = me.received[key]++;
  Awaited awaited{.key = key,
                  .number = other == reordered.end() ? in_order : other->second,
                  .received = {event.time, after},
                  .collective = {},
                  .keeps = keeps};
  if (awaited.number < scan_.messages.at(key).sent) me.open.awaited.push_back(awaited);
}

CollectiveInstance& TimelineCalls::instance_of(TraceRank rank, const CollectiveNumber& number,
                                               const Event& event) {
  auto& instance = instances_[number];
  if (!instance.members.empty()) return instance;
  instance = members_.instance(rank, event);
  for (const auto& member : instance.members) instance.left += is_wanted_[member.rank] ? 0 : 1;
  return instance;
}

void TimelineCalls::collective(TraceRank rank, const Event& event, bool keeps) {
  OfRank& me = ranks_[rank];
  const bool is_alone = trace_.definitions.communicators[event.comm].members.empty();
  const CollectiveNumber number{event.comm, is_alone ? rank : none, me.collectives[event.comm]++};
  auto& instance = instance_of(rank, number, event);
  const std::uint32_t member = members_.of(event.comm, rank);
  auto& mine = instance.members[member];
  mine.has_entered = true;
  mine.enter = me.open.call.enter;
  instance.last_enter.before = std::max(instance.last_enter.before, mine.enter.before);
  instance.last_enter.after = std::max(instance.last_enter.after, mine.enter.after);
  ++instance.entered;
  if (is_wanted_[rank])
    me.open.awaited.push_back(
        {.key = {}, .received = {}, .collective = number, .member = member, .keeps = keeps});
  else if (instance.entered == instance.members.size() && instance.left == instance.entered)
    instances_.erase(number);
}

void TimelineCalls::leave(TraceRank rank, const Times& time) {
  if (!is_wanted_[rank]) return;
  OfRank& me = ranks_[rank];
  me.open.call.leave = time;
  me.pending.push_back(std::move(me.open));
  me.open = {};
  tell_known(me);
}

void TimelineCalls::tell_known(OfRank& rank) {
  while (!rank.pending.empty() && resolve(rank.pending.front())) {
    listener_.call(rank.pending.front().call);
    rank.pending.pop_front();
  }
}

bool TimelineCalls::resolve(Pending& pending) {
  for (; pending.next < pending.awaited.size(); ++pending.next) {
    const Awaited& awaited = pending.awaited[pending.next];
    const auto cause = cause_of(awaited, pending.call.rank);
    if (!cause) return false;
    auto& latest = pending.call.cause;
    latest.before = std::max(latest.before, cause->before);
    if (awaited.keeps) latest.after = std::max(latest.after, cause->after);
  }
  return true;
}

std::optional<Times> TimelineCalls::cause_of(const Awaited& awaited, TraceRank rank) {
  if (awaited.member != none) return collective_cause(awaited);
  Channel& channel = channels_.of(awaited.key);
  const SentMessage* message = channel.find(awaited.number);
  if (message == nullptr) return std::nullopt;
  const Times sent = message->sent;
  channel.take(awaited.number);
  if (awaited.key.from < is_wanted_.size() && is_wanted_[awaited.key.from])
    listener_.message({.from = awaited.key.from,
                       .to = rank,
                       .sent = sent,
                       .received = awaited.received,
                       .is_cut = !awaited.keeps});
  return sent;
}

std::optional<Times> TimelineCalls::collective_cause(const Awaited& awaited) {
  const auto found = instances_.find(awaited.collective);
  auto& instance = found->second;
  const auto cause = instance.latest_cause(awaited.member);
  if (!cause) return std::nullopt;
  ++instance.left;
  if (instance.entered == instance.members.size() && instance.left == instance.entered)
    instances_.erase(found);
  return cause;
}

void TimelineCalls::finish() {
  for (auto& rank : ranks_) {
    tell_known(rank);
    for (auto& pending : rank.pending) {
      for (; pending.next < pending.awaited.size(); ++pending.next) resolve(pending);
      listener_.call(pending.call);
    }
    rank.pending.clear();
  }
}

}  // namespace tutti::studies::replay
