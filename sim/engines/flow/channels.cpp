// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/channels.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace tutti::engines {

using platforms::HostId;
using platforms::Link;
using runtime::RankId;

namespace {

// The merge window looks at every flow whose rate changes: in a crowd that would be all.
CrowdRules crowd_rules(const Job& job) {
  if (job.merge_window > 0) return {.least = UINT32_MAX};
  return job.crowds;
}

constexpr LinkId no_link = UINT32_MAX;
constexpr std::uint64_t between_ranks = std::uint64_t{1} << 63;

std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

}  // namespace

Channels::Channels(const Job& job)
    : machine_(job.machine),
      placement_(job.placement),
      job_links_(job.machine, job.placement),
      contention_(job.contention),
      shares_(job_links_.count(), crowd_rules(job)),
      link_of_(job_links_.count()),
      slots_(1024),
      most_idle_(std::max<std::size_t>(64, static_cast<std::size_t>(job.placement.nodes))) {
  if (contention_ != Contention::pooled_cards) return;
  ranks_on_.resize(job.machine.host_count());
  for (const HostId host : job.placement.host_of) ++ranks_on_[host];
}

std::uint64_t Channels::way(RankId source, RankId destination) const {
  const HostId from = placement_.host_of[source];
  const HostId to = placement_.host_of[destination];
  const bool is_inside = from == to;
  const bool over_bus = is_inside && machine_.intra_node == platforms::IntraNode::bus;
  const bool has_private_links =
      (is_inside && machine_.rank_Bps) ||
      (!over_bus && (contention_ == Contention::private_cards ||
                     (machine_.limits_ranks() && contention_ != Contention::pooled_cards)));
  if (!has_private_links) return pair_of(from, to);
  return between_ranks |
         pair_of(static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination));
}

ClassId Channels::between(RankId source, RankId destination) {
  return find_or_make({.way = way(source, destination)}, source, destination);
}

ClassId Channels::limited(ClassId unlimited, double limit_Bps) {
  const Channel same = channels_[unlimited];
  return find_or_make({same.key.way, limit_Bps}, same.source, same.destination);
}

void Channels::remove_users(ClassId id, std::uint32_t count) {
  if ((channels_[id].users -= count) == 0) idle(id);
}

// ---- the table ----

std::uint32_t Channels::tag_of(const Key& key) {
  const std::uint64_t mixed =
      (key.way ^ std::bit_cast<std::uint64_t>(key.limit_Bps)) * 0x9E3779B97F4A7C15u;
  return static_cast<std::uint32_t>(mixed >> 32);
}

// Where the key stands, or the free slot where it belongs.
std::size_t Channels::slot_of(const Key& key, std::uint32_t tag) const {
  std::size_t at = tag & (slots_.size() - 1);
  for (; slots_[at].id != no_class; at = (at + 1) & (slots_.size() - 1))
    if (slots_[at].tag == tag && channels_[slots_[at].id].key == key) return at;
  return at;
}

std::size_t Channels::free_slot(std::uint32_t tag) const {
  std::size_t at = tag & (slots_.size() - 1);
  while (slots_[at].id != no_class) at = (at + 1) & (slots_.size() - 1);
  return at;
}

ClassId Channels::find_or_make(const Key& key, RankId source, RankId destination) {
  const std::uint32_t tag = tag_of(key);
  const ClassId found = slots_[slot_of(key, tag)].id;
  if (found != no_class) return found;
  forget_idle();
  if (2 * (filled_slots_ + 1) > slots_.size()) grow();
  const ClassId id = make(key, source, destination);
  slots_[free_slot(tag)] = {id, tag};
  ++filled_slots_;
  idle(id);
  return id;
}

void Channels::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& each : old)
    if (each.id != no_class) slots_[free_slot(each.tag)] = each;
}

const Link& Channels::look_up(LinkId id) {
  Link& link = link_of_[id];
  if (link.bandwidth_Bps > 0) return link;
  link = job_links_.link(id);
  shares_.set_capacity(id, link.bandwidth_Bps);
  return link;
}

// The rank's copy of a link at the end of its routes; pooled: its node's, as wide as all of them,
// each no wider than its rank's core.
LinkId Channels::card_of(RankId rank, LinkId link) {
  const HostId host = placement_.host_of[rank];
  const bool is_pooled = contention_ == Contention::pooled_cards;
  const auto owner = is_pooled ? host : static_cast<std::uint32_t>(rank);
  const auto next = job_links_.count() + static_cast<LinkId>(cards_.size());
  const auto [found, is_new] = cards_.try_emplace(pair_of(owner, link), next);
  if (!is_new) return found->second;
  double bandwidth_Bps = look_up(link).bandwidth_Bps;
  if (is_pooled) {
    const double of_rank_Bps = std::max(machine_.rank_send_Bps.value_or(no_limit),
                                        machine_.rank_receive_Bps.value_or(no_limit));
    bandwidth_Bps = ranks_on_[host] * std::min(bandwidth_Bps, of_rank_Bps);
  }
  shares_.make_room(next);
  shares_.set_capacity(next, bandwidth_Bps);
  return next;
}

// A link of the route that flows may share. Pooled cards are as wide as their cores allow.
void Channels::share_hop(const Hop& hop, bool over_bus, RankId source, RankId destination) {
  if (hop.is_core) {
    if (over_bus || contention_ != Contention::pooled_cards) shared_.push_back(hop.link);
    return;
  }
  const bool is_end = !over_bus && (hop.is_out || hop.is_in);
  if (contention_ == Contention::on || (is_end && !has_cards_of_ranks())) {
    shared_.push_back(hop.link);
  } else if (is_end) {
    const LinkId out = hop.is_out ? card_of(source, hop.link) : no_link;
    const LinkId in = hop.is_in ? card_of(destination, hop.link) : no_link;
    if (hop.is_out) shared_.push_back(out);
    if (hop.is_in && in != out) shared_.push_back(in);
  }
}

// The first and the last links but for the cores belong to the cards of sender and receiver.
void Channels::find_hops() {
  std::size_t first = 0, last = route_.size();
  while (job_links_.is_core(route_[first])) ++first;
  while (job_links_.is_core(route_[last - 1])) --last;
  const std::size_t card = machine_.topology->card_links();
  hops_.clear();
  for (std::size_t i = 0; i < route_.size(); ++i)
    hops_.push_back({route_[i], i < first || i >= last, i < first + card, i + card >= last});
}

ClassId Channels::make(const Key& key, RankId source, RankId destination) {
  job_links_.route(source, destination, route_);
  find_hops();
  const bool inside = placement_.host_of[source] == placement_.host_of[destination];
  platforms::Path path{.intra_node = inside};
  double limit_Bps = key.limit_Bps;
  shared_.clear();
  const bool over_bus = inside && machine_.intra_node == platforms::IntraNode::bus;
  for (const Hop& hop : hops_) {
    const Link& link = look_up(hop.link);
    path.cross(link, over_bus || hop.is_out);
    const std::size_t shared_before = shared_.size();
    const double bandwidth_Bps = link.bandwidth_Bps;
    if (link.sharing == platforms::LinkSharing::shared)
      share_hop(hop, over_bus, source, destination);
    if (shared_.size() == shared_before || has_cards_of_ranks())
      limit_Bps = std::min(limit_Bps, bandwidth_Bps);
  }
  const ClassId id = shares_.add(shared_, limit_Bps);
  if (id >= channels_.size()) channels_.resize(id + 1);
  channels_[id] = {.key = key, .path = path, .source = source, .destination = destination};
  return id;
}

// ---- forgetting ----

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

// Closes the gap in the table, so that no search stops short of its key.
void Channels::forget(ClassId id) {
  const std::size_t mask = slots_.size() - 1;
  const Key& key = channels_[id].key;
  std::size_t gap = slot_of(key, tag_of(key));
  for (std::size_t at = (gap + 1) & mask; slots_[at].id != no_class; at = (at + 1) & mask) {
    if (((at - slots_[at].tag) & mask) < ((at - gap) & mask)) continue;
    slots_[gap] = slots_[at];
    gap = at;
  }
  slots_[gap] = {};
  --filled_slots_;
  shares_.remove(id);
}

}  // namespace tutti::engines
