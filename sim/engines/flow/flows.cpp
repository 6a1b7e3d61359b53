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

void Flows::advance(Progress& channel, Seconds now_s) {
  channel.carried += channel.rate * (now_s - channel.since_s);
  channel.since_s = now_s;
}

void Flows::start(MessageId message, Bytes bytes, Seconds now_s) {
  Flow& flow = flows_[message];
  Progress& channel = progress(flow.channel);
  if (channel.first == none) {
    channel.carried = 0;  // small numbers are exact
    channel.since_s = now_s;
  } else {
    advance(channel, now_s);
  }
  flow.end = channel.carried + static_cast<double>(bytes);
  flow.bytes = static_cast<float>(bytes);
  flow.child = flow.sibling = none;
  channel.first = channel.first == none ? message : meld(channel.first, message);
  shares_.set_flows(flow.channel, shares_.flows(flow.channel) + 1);
  ++active_;
}

void Flows::take_ended(Seconds now_s, Seconds until_s, std::size_t enough,
                       std::vector<MessageId>& ended) {
  while (ended.size() < enough && ends_.next_key() <= until_s) {
    if (const End* later = ends_.peek(8)) __builtin_prefetch(&progress_[later->channel], 1);
    const End end = ends_.pop();
    if (is_stale(end)) continue;
    const ClassId id = end.channel;
    Progress& channel = progress_[id];
    ++channel.stamp;
    advance(channel, now_s);
    const Flow& first = flows_[channel.first];
    if (std::abs(first.end - channel.carried) <= rounding * first.bytes)
      channel.carried = first.end;  // what it is by the date's definition
    const double reached = std::max(first.end, channel.carried + channel.rate * (until_s - now_s));
    const std::size_t before = ended.size();
    channel.first = without(channel.first, reached, ended);
    const auto count = static_cast<std::uint32_t>(ended.size() - before);
    active_ -= count;
    channels_.remove_users(id, count);
    shares_.set_flows(id, shares_.flows(id) - count);
  }
}

void Flows::solve(Seconds now_s) {
  const std::span<const ClassId> changed = shares_.solve();
  for (std::size_t i = 0; i < changed.size(); ++i) {
    if (i + 8 < changed.size()) __builtin_prefetch(&progress_[changed[i + 8]], 1);
    const ClassId id = changed[i];
    Progress& channel = progress_[id];
    ++channel.stamp;
    if (channel.first == none) continue;
    advance(channel, now_s);
    channel.rate = shares_.rate(id);
    TUTTI_CHECK(channel.rate > 0, "a flow without a rate");
    const Flow& first = flows_[channel.first];
    const double missing = first.end - channel.carried;
    const bool is_over = missing <= merged_part_ * first.bytes;
    ends_.push(is_over ? now_s : now_s + missing / channel.rate, {id, channel.stamp});
  }
  if (ends_.size() > 1024 + 4 * std::size_t{shares_.class_count()})
    ends_.discard([&](const End& end) { return is_stale(end); });
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
