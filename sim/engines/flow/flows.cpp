// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/flows.hpp"

namespace tutti::engines {

using platforms::HostId;
using platforms::Link;
using runtime::RankId;

namespace {

// With event windows, the next end of a bundle is not yet due when its turn comes, so they disable
// bundles.
BundleRules bundle_rules(const Job& job) {
  if (job.event_window_s > 0) return {.least = UINT32_MAX};
  return job.bundles;
}

// Whether the job is so large that large pages pay.
bool is_large(const Job& job) {
  constexpr int fewest_nodes = 1 << 14;
  return job.placement.nodes >= fewest_nodes;
}

constexpr LinkId no_link = UINT32_MAX;
// Idle channels that are kept. It takes as long to create one as to load it from memory.
constexpr std::size_t most_idle = 1024;
constexpr std::size_t most_idle_divided = 16'384;  // those with several paths, of about 1 KB each
constexpr std::uint64_t between_ranks = std::uint64_t{1} << 63;

std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

}  // namespace

Channels::Channels(const Job& job, const RankFolding* folding)
    : machine_(job.machine),
      placement_(job.placement),
      folding_(folding),
      job_links_(job.machine, job.placement),
      contention_(job.contention),
      shares_(job_links_.count(), bundle_rules(job), is_large(job)),
      kinds_(job_links_),
      most_idle_(std::clamp<std::size_t>(job.placement.nodes, 64, most_idle)) {
  shares_.fair().find_capacities([this](LinkId id) { return kinds_.of(id).bandwidth_Bps; });
  if (job.machine.routing > platforms::Routing::hashed || job.machine.stripe_from) {
    TUTTI_CHECK(!has_nics_of_ranks(), "ranks with NICs of their own have one path per message");
    shares_.divide(job_links_.count(), job.machine.routing == platforms::Routing::optimal);
    most_idle_ = std::clamp<std::size_t>(job.placement.nodes, 64, most_idle_divided);
  }
  if (contention_ != Contention::pooled_nics) return;
  ranks_on_.resize(job.machine.host_count());
  for (const HostId host : job.placement.host_of) ++ranks_on_[host];
}

std::uint64_t Channels::way(RankId source, RankId destination, Bytes bytes) const {
  const HostId from = placement_.host_of[source];
  const HostId to = placement_.host_of[destination];
  const bool is_inside = from == to;
  const bool over_bus = is_inside && machine_.intra_node == platforms::IntraNode::bus;
  const bool has_private_links =
      (is_inside && machine_.rank_Bps) || job_links_.differ_by_rank(source, destination) ||
      (!over_bus && (contention_ == Contention::private_nics ||
                     (machine_.limits_ranks() && contention_ != Contention::pooled_nics)));
  if (!has_private_links) return pair_of(from, to);
  const bool striped = machine_.stripe_from && bytes >= *machine_.stripe_from;
  return between_ranks | (striped ? over_all_rails : 0) |
         pair_of(static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination));
}

ClassId Channels::between(RankId source, RankId destination, Bytes bytes) {
  if (folding_ != nullptr)
    return find_or_make({.way = static_cast<std::uint64_t>(destination)}, source, destination);
  return find_or_make({.way = way(source, destination, bytes)}, source, destination);
}

ClassId Channels::limited(ClassId unlimited, double limit_Bps) {
  const Channel same = channels_[unlimited];
  return find_or_make({same.key.way, limit_Bps}, same.source, same.destination);
}

void Channels::remove_users(ClassId id, std::uint32_t count) {
  if ((channels_[id].users -= count) == 0) idle(id);
}

std::uint32_t Channels::hash_of(const Key& key) {
  return runtime::PairIndex::hash(key.way, std::bit_cast<std::uint64_t>(key.limit_Bps));
}

ClassId Channels::find_or_make(const Key& key, RankId source, RankId destination) {
  const std::uint32_t hash = hash_of(key);
  const ClassId found =
      by_key_.find(hash, [&](ClassId each) { return channels_[each].key == key; });
  if (found != runtime::no_record) return found;
  forget_idle();
  const ClassId id = make(key, source, destination);
  by_key_.add(hash, id);
  idle(id);
  return id;
}

// The rank's copy of a link at the end of its routes. If pooled, the copy of its node, with the sum
// of the ranks' bandwidths, each at most that of the rank's core.
LinkId Channels::nic_of(RankId rank, LinkId link) {
  const HostId host = placement_.host_of[rank];
  const bool is_pooled = contention_ == Contention::pooled_nics;
  const auto owner = is_pooled ? host : static_cast<std::uint32_t>(rank);
  const auto next = job_links_.count() + static_cast<LinkId>(nics_.size());
  const auto [found, is_new] = nics_.try_emplace(pair_of(owner, link), next);
  if (!is_new) return found->second;
  double bandwidth_Bps = kinds_.of(link).bandwidth_Bps;
  if (is_pooled) bandwidth_Bps = ranks_on_[host] * pooled_Bps(machine_, bandwidth_Bps);
  shares_.fair().make_room(next);
  shares_.set_capacity(next, bandwidth_Bps);
  return next;
}

// Adds a link of the route that flows share. Pooled NICs include the bandwidths of their cores.
void Channels::share_hop(const Hop& hop, bool over_bus, RankId source, RankId destination) {
  if (hop.is_core) {
    if (over_bus || contention_ != Contention::pooled_nics) shared_.push_back(hop.link);
    return;
  }
  const bool is_end = !over_bus && (hop.is_out || hop.is_in);
  if (contention_ == Contention::on || (is_end && !has_nics_of_ranks())) {
    shared_.push_back(hop.link);
  } else if (is_end) {
    const LinkId out = hop.is_out ? nic_of(source, hop.link) : no_link;
    const LinkId in = hop.is_in ? nic_of(destination, hop.link) : no_link;
    if (hop.is_out) shared_.push_back(out);
    if (hop.is_in && in != out) shared_.push_back(in);
  }
}

// Replaces the links by those that represent their classes, with the capacity of the class.
void Channels::share_links_of_classes() {
  for (LinkId& link : shared_) {
    const RankFolding::FoldedLink& folded = folding_->links.at(link);
    link = folded.representative;
    shares_.set_capacity(link, folded.links * kinds_.of(link).bandwidth_Bps);
  }
}

ClassId Channels::make(const Key& key, RankId user_source, RankId user_destination) {
  if (shares_.paths() != nullptr) return make_divided(key, user_source, user_destination);
  RankId source = user_source, destination = user_destination;
  if (folding_ != nullptr) {  // the ranks of the representative's message
    source = folding_->classes.representatives[user_source];
    destination = folding_->classes.messages[user_destination].to;
  }
  job_links_.route(source, destination, route_);
  const auto between = job_links_.between_nodes(route_);
  const auto first = static_cast<std::size_t>(between.data() - route_.data());
  const std::size_t last = first + between.size();
  const std::size_t nic = machine_.topology->nic_links();
  const bool inside = placement_.host_of[source] == placement_.host_of[destination];
  platforms::Path path{.intra_node = inside};
  double limit_Bps = key.limit_Bps;
  shared_.clear();
  const bool over_bus = inside && machine_.intra_node == platforms::IntraNode::bus;
  for (std::size_t i = 0; i < route_.size(); ++i) {
    const Hop hop{route_[i], i < first || i >= last, i < first + nic, i + nic >= last};
    const Link link = kinds_.of(hop.link);
    path.cross(link, over_bus || hop.is_out);
    const std::size_t shared_before = shared_.size();
    const double bandwidth_Bps = link.bandwidth_Bps;
    if (link.sharing == platforms::LinkSharing::shared)
      share_hop(hop, over_bus, source, destination);
    if (shared_.size() == shared_before || has_nics_of_ranks())
      limit_Bps = std::min(limit_Bps, bandwidth_Bps);
  }
  path.both_ways_Bps = job_links_.both_ways_Bps(source, destination, route_);
  if (folding_ != nullptr) share_links_of_classes();
  return store(shares_.fair().add(shared_, limit_Bps),
               {.key = key, .path = path, .source = user_source, .destination = user_destination});
}

ClassId Channels::store(ClassId id, const Channel& channel) {
  if (id >= channels_.size()) channels_.resize(id + 1);
  channels_[id] = channel;
  return id;
}

// ---- freeing channels ----

void Channels::idle(ClassId id) {
  if (std::exchange(channels_[id].in_idle, true)) return;
  idle_.push_back(id);
}

void Channels::forget_idle() {
  while (idle_.size() > most_idle_) {
    const ClassId id = idle_.front();
    Channel& oldest = channels_[id];
    idle_.pop_front();
    oldest.in_idle = false;
    if (oldest.users == 0) forget(id);
  }
}

void Channels::forget(ClassId id) {
  by_key_.remove(hash_of(channels_[id].key), id);
  shares_.remove(id);
}

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
    take_ended_of(end.subject, channel.carried + channel.rate * (until_s - now_s), ended);
  }
}

// Takes the flows of the channel that end by `reached`, and its first one in any case.
void Flows::take_ended_of(ClassId id, double reached, std::vector<MessageId>& ended) {
  Progress& channel = progress_[id];
  ++channel.stamp;
  const std::size_t before = ended.size();
  channel.first = without(channel.first, std::max(flows_[channel.first].end, reached), ended);
  const auto count = static_cast<std::uint32_t>(ended.size() - before);
  active_ -= count;
  channels_.remove_users(id, count);
  shares_.set_flows(id, shares_.flows(id) - count * channels_.flows_per_message(id));
}

void Flows::solve(Seconds now_s) {
  const FairShares::Changes changes = shares_.solve();
  for (const auto& [id, bundle] : changes.left) leave(id, bundle, now_s);
  for (const FlowBundleId id : changes.dissolved) forget(id);
  for (std::size_t i = 0; i < changes.classes.size(); ++i) {
    if (i + 8 < changes.classes.size()) __builtin_prefetch(&progress_[changes.classes[i + 8]], 1);
    change(changes.classes[i], now_s);
  }
  for (const FlowBundleId id : changes.bundles) {
    advance(clocks_[id], now_s);
    clocks_[id].rate = shares_.level(id);
    set_date(id, now_s);
  }
  if (ends_.size() > 1024 + 4 * std::size_t{shares_.class_count()})
    ends_.discard([&](const End& end) { return is_stale(end); });
}

// Called when the rate, the number of flows or the bundle of the channel has changed.
void Flows::change(ClassId id, Seconds now_s) {
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

// Also called for members, whose first flow may have changed.
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

void Flows::forget(FlowBundleId id) {
  if (id >= clocks_.size()) return;
  BundleClock& clock = clocks_[id];
  clock.ends.clear();
  clock.carried = clock.rate = 0;
  ++clock.stamp;
}

void Flows::set_date(FlowBundleId id, Seconds now_s) {
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
    take_ended_of(end.subject, member.carried + reached, ended);
    if (member.first != none) push_end(clock, end.subject);
  }
  set_date(id, now_s);
}

// ---- the heap of a channel's flows ----

// Merges two heaps. If both end at the same time, `a`, the older one, comes first.
MessageId Flows::meld(MessageId a, MessageId b) {
  if (flows_[b].end < flows_[a].end) std::swap(a, b);
  flows_[b].sibling = flows_[a].child;
  flows_[a].child = b;
  return a;
}

// Removes all flows that end by `reached`, the root first, and merges the remaining subtrees: in
// pairs from left to right, then the pairs from right to left.
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
