// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/flows.hpp"

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

void Flows::start(MessageId message, double bytes, Seconds now_s) {
  Flow& flow = flows_[message];
  Progress& channel = progress(flow.channel);
  double carried = 0;  // restarts from 0, because small numbers are more exact
  if (channel.first == none) {
    channel.carried = 0;
    channel.since_s = now_s;
    channel.in_bundle = 0;
  } else if (channel.in_bundle != 0) {
    BundleClock& clock = clocks_[shares_.bundle(flow.channel)];
    advance(clock, now_s);
    carried = channel.carried + clock.carried;
  } else {
    advance(channel, now_s);
    carried = channel.carried;
  }
  flow.end = carried + bytes;
  flow.bytes = static_cast<float>(bytes);
  flow.child = flow.sibling = none;
  channel.first = channel.first == none ? message : meld(channel.first, message);
  shares_.set_flows(flow.channel,
                    shares_.flows(flow.channel) + channels_.flows_per_message(flow.channel));
  ++active_;
}

void Flows::take_ended(Seconds now_s, Seconds until_s, std::size_t enough,
                       std::vector<MessageId>& ended) {
  while (ended.size() < enough && ends_.next_key() <= until_s) {
    if (const End* later = ends_.peek(8); later != nullptr && (later->subject & is_bundle) == 0) {
      prefetch_channel(later->subject);
      channels_.prefetch(later->subject);
    }
    const End end = ends_.pop();
    if (is_stale(end)) continue;
    if ((end.subject & is_bundle) != 0) {
      take_ended_of_bundle(end.subject & ~is_bundle, now_s, until_s, enough, ended);
      continue;
    }
    Progress& channel = progress_[end.subject];
    advance(channel, now_s);
    const Flow& first = flows_[channel.first];
    if (std::abs(first.end - channel.carried) <= rounding * first.bytes)
      channel.carried = first.end;  // exact by the definition of the end
    take_ended_of_channel(end.subject, channel.carried + channel.rate * (until_s - now_s), ended);
  }
}

// Takes the flows of the channel that end by `reached`, and its first one in any case.
void Flows::take_ended_of_channel(ClassId id, double reached, std::vector<MessageId>& ended) {
  Progress& channel = progress_[id];
  ++channel.stamp;
  const std::size_t before = ended.size();
  channel.first = remove_ended(channel.first, std::max(flows_[channel.first].end, reached), ended);
  const auto count = static_cast<std::uint32_t>(ended.size() - before);
  active_ -= count;
  channels_.remove_users(id, count);
  shares_.set_flows(id, shares_.flows(id) - count * channels_.flows_per_message(id));
}

void Flows::solve(Seconds now_s) {
  const FairShares::Changes changes = shares_.solve();
  for (const auto& [id, bundle] : changes.left) leave(id, bundle, now_s);
  for (const FlowBundleId id : changes.dissolved) reset_clock(id);
  for (std::size_t i = 0; i < changes.classes.size(); ++i) {
    if (i + 8 < changes.classes.size()) __builtin_prefetch(&progress_[changes.classes[i + 8]], 1);
    update_channel(changes.classes[i], now_s);
  }
  for (const FlowBundleId id : changes.bundles) {
    advance(clocks_[id], now_s);
    clocks_[id].rate = shares_.level(id);
    schedule_end(id, now_s);
  }
  if (ends_.size() > 1024 + 4 * std::size_t{shares_.class_count()})
    ends_.discard([&](const End& end) { return is_stale(end); });
}

// Schedules the next end of a channel whose rate, number of flows or bundle has changed.
void Flows::update_channel(ClassId id, Seconds now_s) {
  Progress& channel = progress_[id];
  ++channel.stamp;
  if (channel.first == none) return;
  if (const FlowBundleId bundle = shares_.bundle(id); bundle != FairShares::none)
    return join(id, bundle, now_s);
  advance(channel, now_s);
  channel.rate = shares_.rate(id);
  TUTTI_CHECK(channel.rate > 0, "every flow must have a rate");
  const double missing = std::max(0.0, flows_[channel.first].end - channel.carried);
  ends_.push(now_s + missing / channel.rate, {id, channel.stamp});
}

// ---- bundles ----

// Makes the channel use the clock of its bundle, if it does not yet, and schedules its next end
// there.
void Flows::join(ClassId id, FlowBundleId bundle, Seconds now_s) {
  if (bundle >= clocks_.size()) clocks_.resize(bundle + 1);
  BundleClock& clock = clocks_[bundle];
  Progress& channel = progress_[id];
  if (channel.in_bundle == 0) {
    advance(clock, now_s);
    advance(channel, now_s);
    channel.carried -= clock.carried;
    channel.in_bundle = 1;
  }
  push_end(clock, id);
}

void Flows::push_end(BundleClock& clock, ClassId member) {
  const Progress& channel = progress_[member];
  clock.ends.push(flows_[channel.first].end - channel.carried, {member, channel.stamp});
}

// Adds what the channel has carried as a member of the bundle. A channel without flows restarts
// from 0, and one that entered the bundle during the same solve has carried nothing there.
void Flows::leave(ClassId id, FlowBundleId bundle, Seconds now_s) {
  Progress& channel = progress_[id];
  if (channel.first == none || channel.in_bundle == 0) return;
  BundleClock& clock = clocks_[bundle];
  advance(clock, now_s);
  channel.carried += clock.carried;
  channel.since_s = now_s;
  channel.in_bundle = 0;
  ++channel.stamp;
}

// Resets the clock of a dissolved bundle.
void Flows::reset_clock(FlowBundleId id) {
  if (id >= clocks_.size()) return;
  BundleClock& clock = clocks_[id];
  clock.ends.clear();
  clock.carried = clock.rate = 0;
  ++clock.stamp;
}

// Schedules the next end of a flow of the bundle.
void Flows::schedule_end(FlowBundleId id, Seconds now_s) {
  BundleClock& clock = clocks_[id];
  ++clock.stamp;
  const double missing = clock.ends.next_key() - clock.carried;
  if (missing < no_limit)
    ends_.push(now_s + std::max(0.0, missing) / clock.rate, {id | is_bundle, clock.stamp});
}

// Takes the ended flows of a bundle. Stale ends of members are skipped: the channel has an earlier
// one.
void Flows::take_ended_of_bundle(FlowBundleId id, Seconds now_s, Seconds until_s,
                                 std::size_t enough, std::vector<MessageId>& ended) {
  BundleClock& clock = clocks_[id];
  advance(clock, now_s);
  clock.carried = std::max(clock.carried, clock.ends.next_key());  // by definition of the end
  const double reached = clock.carried + clock.rate * (until_s - now_s);
  while (ended.size() < enough && clock.ends.next_key() <= reached) {
    const End end = clock.ends.pop();
    if (is_stale(end)) continue;
    const Progress& member = progress_[end.subject];
    take_ended_of_channel(end.subject, member.carried + reached, ended);
    if (member.first != none) push_end(clock, end.subject);
  }
  schedule_end(id, now_s);
}

// ---- the heap of a channel's flows ----

// Merges two heaps. If both end at the same time, `a`, the older one, comes first.
MessageId Flows::meld(MessageId a, MessageId b) {
  if (flows_[b].end < flows_[a].end) std::swap(a, b);
  flows_[b].sibling = flows_[a].child;
  flows_[a].child = b;
  return a;
}

// Removes all flows that end by `reached`, the root first, and appends them to `ended`. Returns the
// root of the remaining subtrees, which it merges: in pairs from left to right, then the pairs from
// right to left.
MessageId Flows::remove_ended(MessageId root, double reached, std::vector<MessageId>& ended) {
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
