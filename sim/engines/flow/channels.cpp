// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/channels.hpp"

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

std::uint64_t Channels::make_pair_key(RankId source, RankId destination, Bytes bytes) const {
  const HostId from = placement_.host_of[source];
  const HostId to = placement_.host_of[destination];
  const bool is_inside = machine_.are_joined(from, to);
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

ClassId Channels::find(RankId source, RankId destination, Bytes bytes) {
  const std::uint64_t pair = folding_ != nullptr ? static_cast<std::uint64_t>(destination)
                                                 : make_pair_key(source, destination, bytes);
  const std::uint64_t copied = bytes <= machine_.bus_max ? over_buses : 0;
  return find_or_make({.pair = pair | copied}, source, destination);
}

ClassId Channels::find_limited(ClassId unlimited, double limit_Bps) {
  const Channel same = channels_[unlimited];
  return find_or_make({same.key.pair, limit_Bps}, same.source, same.destination);
}

void Channels::remove_users(ClassId id, std::uint32_t count) {
  if ((channels_[id].users -= count) == 0) add_idle(id);
}

std::uint32_t Channels::hash_of(const Key& key) {
  return runtime::PairIndex::hash(key.pair, std::bit_cast<std::uint64_t>(key.limit_Bps));
}

ClassId Channels::find_or_make(const Key& key, RankId source, RankId destination) {
  const std::uint32_t hash = hash_of(key);
  const ClassId known =
      by_key_.find(hash, [&](ClassId channel) { return channels_[channel].key == key; });
  if (known != runtime::no_record) return known;
  free_idle();
  const ClassId id = make(key, source, destination);
  by_key_.add(hash, id);
  add_idle(id);  // until add_user()
  return id;
}

// The rank's copy of a link at the end of its routes. If pooled, the copy of its node, with the sum
// of the ranks' bandwidths, each at most that of the rank's core.
LinkId Channels::nic_of(RankId rank, LinkId link) {
  const HostId host = placement_.host_of[rank];
  const bool is_pooled = contention_ == Contention::pooled_nics;
  const auto owner = is_pooled ? host : static_cast<std::uint32_t>(rank);
  const auto next = job_links_.count() + static_cast<LinkId>(nics_.size());
  const auto [nic, is_new] = nics_.try_emplace(pair_of(owner, link), next);
  if (!is_new) return nic->second;
  double bandwidth_Bps = kinds_.of(link).bandwidth_Bps;
  if (is_pooled) bandwidth_Bps = ranks_on_[host] * pooled_Bps(machine_, bandwidth_Bps);
  shares_.fair().add_link(next);
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
  const bool inside =
      machine_.are_joined(placement_.host_of[source], placement_.host_of[destination]);
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
  if ((key.pair & over_buses) != 0) {
    if (contention_ == Contention::on) job_links_.add_copies(source, destination, 0, shared_);
    if (!inside) limit_Bps = std::min(limit_Bps, machine_.bus.bandwidth_Bps);
  }
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

void Channels::add_idle(ClassId id) {
  if (std::exchange(channels_[id].in_idle, true)) return;
  idle_.push_back(id);
}

// Frees the channels that have been idle for the longest time, if there are too many.
void Channels::free_idle() {
  while (idle_.size() > most_idle_) {
    const ClassId id = idle_.front();
    Channel& oldest = channels_[id];
    idle_.pop_front();
    oldest.in_idle = false;
    if (oldest.users == 0) free_channel(id);
  }
}

void Channels::free_channel(ClassId id) {
  by_key_.remove(hash_of(channels_[id].key), id);
  shares_.remove(id);
}

}  // namespace tutti::engines
