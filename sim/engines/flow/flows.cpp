// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/flows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/check.hpp"

namespace tutti::engines {

namespace {

constexpr double rounding = 1e-12;  // of a flow's bytes

}  // namespace

void Flows::prepare(MessageId message, ClassId channel) {
  if (message >= flows_.size()) flows_.resize(message + 1);
  flows_[message].channel = channel;
  channels_.add_user(channel);
}

Flows::Progress& Flows::progress(ClassId id) {
  if (id >= progress_.size()) progress_.resize(id + 1);
  return progress_[id];
}

template <class Clock>
void Flows::advance(Clock& clock, Seconds now_s) {
  clock.carried += clock.rate * (now_s - clock.since_s);
  clock.since_s = now_s;
}

void Flows::start(MessageId message, Bytes bytes, Seconds now_s) {
  Flow& flow = flows_[message];
  Progress& channel = progress(flow.channel);
  double carried = 0;  // small numbers are exact
  if (channel.first == none) {
    channel.carried = 0;
    channel.since_s = now_s;
    channel.in_crowd = 0;
  } else if (channel.in_crowd != 0) {
    CrowdClock& clock = clocks_[shares_.crowd(flow.channel)];
    advance(clock, now_s);
    carried = channel.carried + clock.carried;
  } else {
    advance(channel, now_s);
    carried = channel.carried;
  }
  flow.end = carried + static_cast<double>(bytes);
  flow.bytes = static_cast<float>(bytes);
  flow.child = flow.sibling = none;
  channel.first = channel.first == none ? message : meld(channel.first, message);
  shares_.set_flows(flow.channel, shares_.flows(flow.channel) + 1);
  ++active_;
}

void Flows::take_ended(Seconds now_s, Seconds until_s, std::size_t enough,
                       std::vector<MessageId>& ended) {
  while (ended.size() < enough && ends_.next_key() <= until_s) {
    if (const End* later = ends_.peek(8); later != nullptr && (later->subject & is_crowd) == 0)
      __builtin_prefetch(&progress_[later->subject], 1);
    const End end = ends_.pop();
    if (is_stale(end)) continue;
    if ((end.subject & is_crowd) != 0) {
      take_ended_of_crowd(end.subject & ~is_crowd, now_s, until_s, enough, ended);
      continue;
    }
    Progress& channel = progress_[end.subject];
    advance(channel, now_s);
    const Flow& first = flows_[channel.first];
    if (std::abs(first.end - channel.carried) <= rounding * first.bytes)
      channel.carried = first.end;  // what it is by the date's definition
    take_ended_of(end.subject, channel.carried + channel.rate * (until_s - now_s), ended);
  }
}

// The flows of the channel that end by `reached`, and its first one.
void Flows::take_ended_of(ClassId id, double reached, std::vector<MessageId>& ended) {
  Progress& channel = progress_[id];
  ++channel.stamp;
  const std::size_t before = ended.size();
  channel.first = without(channel.first, std::max(flows_[channel.first].end, reached), ended);
  const auto count = static_cast<std::uint32_t>(ended.size() - before);
  active_ -= count;
  channels_.remove_users(id, count);
  shares_.set_flows(id, shares_.flows(id) - count);
}

void Flows::solve(Seconds now_s) {
  const FairShares::Changes changes = shares_.solve();
  for (const CrowdId id : changes.dissolved) release(id, now_s);
  for (std::size_t i = 0; i < changes.classes.size(); ++i) {
    if (i + 8 < changes.classes.size()) __builtin_prefetch(&progress_[changes.classes[i + 8]], 1);
    change(changes.classes[i], now_s);
  }
  for (const CrowdId id : changes.crowds) {
    advance(clocks_[id], now_s);
    clocks_[id].rate = shares_.level(id);
    set_date(id, now_s);
  }
  if (ends_.size() > 1024 + 4 * std::size_t{shares_.class_count()})
    ends_.discard([&](const End& end) { return is_stale(end); });
}

// The channel has got another rate, another number of flows or a crowd.
void Flows::change(ClassId id, Seconds now_s) {
  Progress& channel = progress_[id];
  ++channel.stamp;
  if (channel.first == none) return;
  if (const CrowdId crowd = shares_.crowd(id); crowd != FairShares::none)
    return join(id, crowd, now_s);
  advance(channel, now_s);
  channel.rate = shares_.rate(id);
  TUTTI_CHECK(channel.rate > 0, "a flow without a rate");
  const Flow& first = flows_[channel.first];
  const double missing = first.end - channel.carried;
  const bool is_over = missing <= merged_part_ * first.bytes;
  ends_.push(is_over ? now_s : now_s + missing / channel.rate, {id, channel.stamp});
}

// ---- crowds ----

// Also for one that is a member: its first flow may be another one.
void Flows::join(ClassId id, CrowdId crowd, Seconds now_s) {
  if (crowd >= clocks_.size()) clocks_.resize(crowd + 1);
  CrowdClock& clock = clocks_[crowd];
  Progress& channel = progress_[id];
  if (channel.in_crowd == 0) {
    advance(clock, now_s);
    advance(channel, now_s);
    channel.carried -= clock.carried;
    channel.in_crowd = 1;
  }
  push_end(clock, id);
}

void Flows::push_end(CrowdClock& clock, ClassId member) {
  const Progress& channel = progress_[member];
  clock.ends.push(flows_[channel.first].end - channel.carried, {member, channel.stamp});
}

// The crowd is no more. Its members go on by themselves; those of a new crowd will join that.
void Flows::release(CrowdId id, Seconds now_s) {
  CrowdClock& clock = clocks_[id];
  advance(clock, now_s);
  while (!clock.ends.empty()) {
    const End end = clock.ends.pop();
    if (is_stale(end)) continue;
    Progress& channel = progress_[end.subject];
    channel.carried += clock.carried;
    channel.since_s = now_s;
    channel.in_crowd = 0;
    if (shares_.crowd(end.subject) == FairShares::none) change(end.subject, now_s);
  }
  clock.ends.clear();
  clock.carried = clock.rate = 0;
  ++clock.stamp;
}

void Flows::set_date(CrowdId id, Seconds now_s) {
  CrowdClock& clock = clocks_[id];
  ++clock.stamp;
  const double missing = clock.ends.next_key() - clock.carried;
  if (missing < no_limit)
    ends_.push(now_s + std::max(0.0, missing) / clock.rate, {id | is_crowd, clock.stamp});
}

// Its date has come. Ends of members that are stale pass by: the channel has an earlier one.
void Flows::take_ended_of_crowd(CrowdId id, Seconds now_s, Seconds until_s, std::size_t enough,
                                std::vector<MessageId>& ended) {
  CrowdClock& clock = clocks_[id];
  advance(clock, now_s);
  clock.carried = std::max(clock.carried, clock.ends.next_key());  // by the date's definition
  const double reached = clock.carried + clock.rate * (until_s - now_s);
  while (ended.size() < enough && clock.ends.next_key() <= reached) {
    const End end = clock.ends.pop();
    if (is_stale(end)) continue;
    const Progress& member = progress_[end.subject];
    take_ended_of(end.subject, member.carried + reached, ended);
    if (member.first != none) push_end(clock, end.subject);
  }
  set_date(id, now_s);
}

// ---- the heap of a channel's flows ----

// Of two that end together `a`, the older, comes first.
MessageId Flows::meld(MessageId a, MessageId b) {
  if (flows_[b].end < flows_[a].end) std::swap(a, b);
  flows_[b].sibling = flows_[a].child;
  flows_[a].child = b;
  return a;
}

// Takes out all flows that end by `reached`, the root first, and melds what is left: the remaining
// subtrees in pairs from left to right, then the pairs from right to left.
MessageId Flows::without(MessageId root, double reached, std::vector<MessageId>& ended) {
  subtrees_.clear();
  const std::size_t first = ended.size();
  ended.push_back(root);
  for (std::size_t i = first; i < ended.size(); ++i)
    for (MessageId child = flows_[ended[i]].child; child != none; child = flows_[child].sibling)
      (flows_[child].end <= reached ? ended : subtrees_).push_back(child);
  if (subtrees_.empty()) return none;
  for (std::size_t i = 0; i + 1 < subtrees_.size(); i += 2)
    subtrees_[i] = meld(subtrees_[i], subtrees_[i + 1]);
  std::size_t last = (subtrees_.size() - 1) / 2 * 2;
  for (; last > 0; last -= 2) subtrees_[last - 2] = meld(subtrees_[last - 2], subtrees_[last]);
  flows_[subtrees_[0]].sibling = none;
  return subtrees_[0];
}

}  // namespace tutti::engines
