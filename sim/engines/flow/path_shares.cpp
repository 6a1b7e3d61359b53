// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/path_shares.hpp"

namespace tutti::engines {
namespace {

constexpr double most_overload = 1e-10;   // relative, by rounding
constexpr double trunk_rounding = 1e-12;  // of the sum of a divided column's parts

}  // namespace

// ---- classes ----

// Stores the columns. Links that repeat in a column are one hop.
void PathShares::store(const PathColumns& columns, Class& owner) {
  std::vector<StoredLink> links;
  std::vector<double> weights;
  forget_problem();
  owner.hops.clear();
  owner.ends.clear();
  for (std::size_t column = 0, use = 0; column < columns.ends.size(); ++column) {
    const std::size_t first = owner.hops.size();
    for (; use < columns.ends[column]; ++use) {
      const auto [id, weight] = columns.uses[use];
      LinkState& link = links_[id];
      if (link.number == 0) {
        links.push_back({.link = id});
        link.number = static_cast<std::uint32_t>(links.size());
      }
      StoredLink& crossed = links[link.number - 1];
      if (std::exchange(crossed.column, column) == column) {
        weights[crossed.hop] += weight;
        continue;
      }
      crossed.hop = owner.hops.size();
      owner.hops.push_back(link.number - 1);
      weights.push_back(weight);
    }
    for (std::size_t hop = first; hop < owner.hops.size(); ++hop)
      links[owner.hops[hop]].in_full += std::abs(weights[hop] - 1) <= trunk_rounding ? 1 : 0;
    owner.ends.push_back(static_cast<std::uint32_t>(owner.hops.size()));
  }
  for (const StoredLink& crossed : links) links_[crossed.link].number = 0;
  const bool has_weights = std::ranges::any_of(weights, [](double weight) { return weight != 1; });
  owner.weights = has_weights ? std::move(weights) : std::vector<double>();
  store_crossings(links, owner);
}

// Stores the links, those that all columns use in full first.
void PathShares::store_crossings(std::span<const StoredLink> links, Class& owner) {
  std::vector<std::uint32_t> order(links.size()), place(links.size());
  std::iota(order.begin(), order.end(), 0);
  const auto end_of_trunk = std::stable_partition(order.begin(), order.end(), [&](auto crossing) {
    return links[crossing].in_full == owner.ends.size();
  });
  owner.trunk_links = static_cast<std::uint32_t>(end_of_trunk - order.begin());
  owner.crossings.clear();
  for (const std::uint32_t crossing : order) {
    place[crossing] = static_cast<std::uint32_t>(owner.crossings.size());
    owner.crossings.push_back({.link = links[crossing].link});
  }
  for (auto& hop : owner.hops) hop = place[hop];
}

// What all columns together can carry.
double PathShares::most_rate(const Class& owner) const {
  double sum = 0;
  for (std::size_t column = 0; column < owner.ends.size(); ++column) {
    double least = no_limit;
    for (auto hop = owner.first_hop(column); hop < owner.ends[column]; ++hop)
      least = std::min(least,
                       links_[owner.crossings[owner.hops[hop]].link].capacity / owner.weight(hop));
    sum += least;
  }
  return sum;
}

ClassId PathShares::add(const PathColumns& columns, double limit_Bps) {
  const ClassId id = classes_.take();
  Class& owner = classes_[id];
  store(columns, owner);
  owner.preferred = static_cast<std::uint32_t>(columns.preferred);
  owner.limit = limit_Bps;
  owner.rate = 0;
  owner.is_removed = false;
  std::vector<LinkId> trunk;
  for (std::uint32_t i = 0; i < owner.trunk_links; ++i) trunk.push_back(owner.crossings[i].link);
  owner.trunk = trunks_.add(trunk, std::min(limit_Bps, most_rate(owner)));
  if (owner.trunk >= owner_of_trunk_.size()) owner_of_trunk_.resize(owner.trunk + 1);
  owner_of_trunk_[owner.trunk] = id;
  return id;
}

void PathShares::remove(ClassId id) {
  classes_[id].is_removed = true;
  if (!classes_[id].is_touched) release(id);
}

void PathShares::release(ClassId id) {
  trunks_.remove(classes_[id].trunk);
  classes_.give_back(id);
}

void PathShares::set_flows(ClassId id, std::uint32_t flows) {
  Class& owner = classes_[id];
  owner.flows = flows;
  trunks_.set_flows(owner.trunk, flows);
  if (!std::exchange(owner.is_touched, true)) touched_.push_back(id);
}

// Adds the class to the lists of the links of its first `columns` columns.
void PathShares::list(ClassId id, std::uint32_t columns) {
  Class& owner = classes_[id];
  for (std::uint32_t hop = 0; hop < owner.first_hop(columns); ++hop) {
    Crossing& crossing = owner.crossings[owner.hops[hop]];
    if (crossing.place == none) crossing.place = lists_.add(links_[crossing.link].members, id);
  }
}

void PathShares::unlist(Crossing& crossing) {
  if (crossing.place == none) return;
  const auto move = [&](ClassId moved, MemberLists::Place, MemberLists::Place to) {
    std::ranges::find(classes_[moved].crossings, crossing.link, &Crossing::link)->place = to;
  };
  lists_.remove(links_[crossing.link].members, std::exchange(crossing.place, none), move);
}

// Removes a class without flows from all lists.
void PathShares::leave(Class& owner) {
  set_filled(owner, false);
  for (Crossing& crossing : owner.crossings) unlist(crossing);
}

void PathShares::set_filled(Class& owner, bool is_filled) {
  if (std::exchange(owner.is_filled, is_filled) == is_filled) return;
  for (const Crossing& crossing : owner.crossings) {
    LinkState& link = links_[crossing.link];
    link.filled += is_filled ? 1 : -1;
    if (link.filled == 0) link.is_full = false;
  }
}

// ---- loads ----

void PathShares::divide_evenly(Class& owner, double sum) {
  const double part = sum / owner.preferred;
  divide(owner, [&](std::uint32_t column) { return column < owner.preferred ? part : 0; });
}

void PathShares::put_loads(const Class& owner) {
  for (const auto& [id, place, load] : owner.crossings) {
    if (load == 0) continue;
    LinkState& link = links_[id];
    ++link.users;
    link.load += load;
  }
}

void PathShares::take_loads(Class& owner) {
  for (auto& [id, place, load] : owner.crossings) {
    if (load == 0) continue;
    LinkState& link = links_[id];
    link.load = --link.users > 0 ? link.load - load : 0;
    load = 0;
  }
}

void PathShares::set_rate(ClassId id, double rate) {
  Class& owner = classes_[id];
  if (rate == owner.rate && !owner.is_touched) return;
  owner.rate = rate;
  changed_.push_back(id);
}

// ---- changes ----

// Updates the loads of a class whose trunk's rate or number of flows has changed.
void PathShares::follow_trunk(ClassId id) {
  Class& owner = classes_[id];
  moved_.push_back(id);
  if (owner.is_filled) return;
  take_loads(owner);
  if (owner.flows > 0) {
    divide_evenly(owner, owner.flows * trunks_.rate(owner.trunk));
    put_loads(owner);
    list(id, owner.preferred);
  } else {
    leave(owner);
  }
}

// Whether a class that is not filled meets others there that are, or needs to be filled itself.
bool PathShares::is_affected(const Class& owner, std::uint32_t number) const {
  const Crossing& crossing = owner.crossings[number];
  const LinkState& link = links_[crossing.link];
  if (crossing.load == 0) return false;
  if (link.is_full || link.load > link.capacity * (1 + most_overload)) return true;
  return link.filled > 0 && trunks_.is_full(crossing.link);
}

void PathShares::gather_affected() {
  for (const ClassId id : moved_) {
    const Class& owner = classes_[id];
    if (owner.is_filled) gather(id);
    for (std::uint32_t i = 0; i < owner.crossings.size(); ++i)
      if (is_affected(owner, i)) gather_members(owner.crossings[i].link);
  }
}

std::span<const ClassId> PathShares::solve() {
  ++solves_;
  ++round_;
  changed_.clear();
  moved_.clear();
  region_.clear();
  for (const ClassId trunk : trunks_.solve().classes) follow_trunk(owner_of_trunk_[trunk]);
  for (const ClassId id : touched_)
    if (classes_[id].flows == 0) follow_trunk(id);
  gather_affected();
  if (!region_.empty()) fill_region();
  for (const ClassId id : moved_)
    if (const Class& owner = classes_[id]; owner.flows > 0 && owner.visited != round_)
      set_rate(id, trunks_.rate(owner.trunk));
  if (!region_.empty()) settle();
  for (const ClassId id : touched_) {
    classes_[id].is_touched = false;
    if (classes_[id].is_removed) release(id);
  }
  touched_.clear();
  return changed_;
}

double PathShares::idle_rate(ClassId id) {
  Class& owner = classes_[id];
  double rate = owner.limit;
  for (std::uint32_t i = 0; i < owner.trunk_links; ++i)
    rate = std::min(rate, links_[owner.crossings[i].link].capacity);
  bool is_even = rate < no_limit;
  if (is_even) divide_evenly(owner, rate);
  for (Crossing& crossing : owner.crossings)
    is_even &= std::exchange(crossing.load, 0) <= links_[crossing.link].capacity;
  if (is_even) return rate;
  forget_problem();
  add_to_problem(owner, 1, true);
  solve_problem(false);
  return solved_rate(0);
}

}  // namespace tutti::engines
