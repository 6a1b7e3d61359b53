// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/path_shares.hpp"

namespace tutti::engines {
namespace {

constexpr double most_overload = 1e-10;   // relative, by rounding
constexpr double trunk_rounding = 1e-12;  // of the sum of a divided column's parts

}  // namespace

// ---- classes ----

// Stores the columns. Links that repeat in a column are one hop.
void PathShares::store(const PathColumns& columns, Class& each) {
  std::vector<Found> found;
  std::vector<double> weights;
  forget_problem();
  each.hops.clear();
  each.ends.clear();
  for (std::size_t column = 0, use = 0; column < columns.ends.size(); ++column) {
    const std::size_t first = each.hops.size();
    for (; use < columns.ends[column]; ++use) {
      const auto [id, weight] = columns.uses[use];
      LinkState& link = links_[id];
      if (link.number == 0) {
        found.push_back({.link = id});
        link.number = static_cast<std::uint32_t>(found.size());
      }
      Found& crossed = found[link.number - 1];
      if (std::exchange(crossed.column, column) == column) {
        weights[crossed.hop] += weight;
        continue;
      }
      crossed.hop = each.hops.size();
      each.hops.push_back(link.number - 1);
      weights.push_back(weight);
    }
    for (std::size_t hop = first; hop < each.hops.size(); ++hop)
      found[each.hops[hop]].in_full += std::abs(weights[hop] - 1) <= trunk_rounding ? 1 : 0;
    each.ends.push_back(static_cast<std::uint32_t>(each.hops.size()));
  }
  for (const Found& crossed : found) links_[crossed.link].number = 0;
  const bool has_weights = std::ranges::any_of(weights, [](double weight) { return weight != 1; });
  each.weights = has_weights ? std::move(weights) : std::vector<double>();
  store_crossings(found, each);
}

// Stores the links, those that all columns use in full first.
void PathShares::store_crossings(std::span<const Found> found, Class& each) {
  std::vector<std::uint32_t> order(found.size()), place(found.size());
  std::iota(order.begin(), order.end(), 0);
  const auto end_of_trunk = std::stable_partition(order.begin(), order.end(), [&](auto crossing) {
    return found[crossing].in_full == each.ends.size();
  });
  each.trunk_links = static_cast<std::uint32_t>(end_of_trunk - order.begin());
  each.crossings.clear();
  for (const std::uint32_t crossing : order) {
    place[crossing] = static_cast<std::uint32_t>(each.crossings.size());
    each.crossings.push_back({.link = found[crossing].link});
  }
  for (auto& hop : each.hops) hop = place[hop];
}

// What all columns together can carry.
double PathShares::most_rate(const Class& each) const {
  double sum = 0;
  for (std::size_t column = 0; column < each.ends.size(); ++column) {
    double least = no_limit;
    for (auto hop = each.first_hop(column); hop < each.ends[column]; ++hop)
      least =
          std::min(least, links_[each.crossings[each.hops[hop]].link].capacity / each.weight(hop));
    sum += least;
  }
  return sum;
}

ClassId PathShares::add(const PathColumns& columns, double limit_Bps) {
  const ClassId id = classes_.take();
  Class& each = classes_[id];
  store(columns, each);
  each.preferred = static_cast<std::uint32_t>(columns.preferred);
  each.limit = limit_Bps;
  each.rate = 0;
  each.is_removed = false;
  std::vector<LinkId> trunk;
  for (std::uint32_t i = 0; i < each.trunk_links; ++i) trunk.push_back(each.crossings[i].link);
  each.trunk = trunks_.add(trunk, std::min(limit_Bps, most_rate(each)));
  if (each.trunk >= owner_of_trunk_.size()) owner_of_trunk_.resize(each.trunk + 1);
  owner_of_trunk_[each.trunk] = id;
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
  Class& each = classes_[id];
  each.flows = flows;
  trunks_.set_flows(each.trunk, flows);
  if (!std::exchange(each.is_touched, true)) touched_.push_back(id);
}

// Adds the class to the lists of the links of its first `columns` columns.
void PathShares::list(ClassId id, std::uint32_t columns) {
  Class& each = classes_[id];
  for (std::uint32_t hop = 0; hop < each.first_hop(columns); ++hop) {
    Crossing& crossing = each.crossings[each.hops[hop]];
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
void PathShares::leave(Class& each) {
  set_filled(each, false);
  for (Crossing& crossing : each.crossings) unlist(crossing);
}

void PathShares::set_filled(Class& each, bool is_filled) {
  if (std::exchange(each.is_filled, is_filled) == is_filled) return;
  for (const Crossing& crossing : each.crossings) {
    LinkState& link = links_[crossing.link];
    link.filled += is_filled ? 1 : -1;
    if (link.filled == 0) link.is_full = false;
  }
}

// ---- loads ----

void PathShares::divide_evenly(Class& each, double sum) {
  const double part = sum / each.preferred;
  divide(each, [&](std::uint32_t column) { return column < each.preferred ? part : 0; });
}

void PathShares::put_loads(const Class& each) {
  for (const auto& [id, place, load] : each.crossings) {
    if (load == 0) continue;
    LinkState& link = links_[id];
    ++link.users;
    link.load += load;
  }
}

void PathShares::take_loads(Class& each) {
  for (auto& [id, place, load] : each.crossings) {
    if (load == 0) continue;
    LinkState& link = links_[id];
    link.load = --link.users > 0 ? link.load - load : 0;
    load = 0;
  }
}

void PathShares::set_rate(ClassId id, double rate) {
  Class& each = classes_[id];
  if (rate == each.rate && !each.is_touched) return;
  each.rate = rate;
  changed_.push_back(id);
}

// ---- changes ----

// Updates the loads of a class whose trunk's rate or number of flows has changed.
void PathShares::follow_trunk(ClassId id) {
  Class& each = classes_[id];
  moved_.push_back(id);
  if (each.is_filled) return;
  take_loads(each);
  if (each.flows > 0) {
    divide_evenly(each, each.flows * trunks_.rate(each.trunk));
    put_loads(each);
    list(id, each.preferred);
  } else {
    leave(each);
  }
}

// Whether a class that is not filled meets others there that are, or needs to be filled itself.
bool PathShares::is_affected(const Class& each, std::uint32_t number) const {
  const Crossing& crossing = each.crossings[number];
  const LinkState& link = links_[crossing.link];
  if (crossing.load == 0) return false;
  if (link.is_full || link.load > link.capacity * (1 + most_overload)) return true;
  return link.filled > 0 && trunks_.is_full(crossing.link);
}

void PathShares::gather_affected() {
  for (const ClassId id : moved_) {
    const Class& each = classes_[id];
    if (each.is_filled) gather(id);
    for (std::uint32_t i = 0; i < each.crossings.size(); ++i)
      if (is_affected(each, i)) gather_members(each.crossings[i].link);
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
    if (const Class& each = classes_[id]; each.flows > 0 && each.visited != round_)
      set_rate(id, trunks_.rate(each.trunk));
  if (!region_.empty()) settle();
  for (const ClassId id : touched_) {
    classes_[id].is_touched = false;
    if (classes_[id].is_removed) release(id);
  }
  touched_.clear();
  return changed_;
}

double PathShares::idle_rate(ClassId id) {
  Class& each = classes_[id];
  double rate = each.limit;
  for (std::uint32_t i = 0; i < each.trunk_links; ++i)
    rate = std::min(rate, links_[each.crossings[i].link].capacity);
  bool is_even = rate < no_limit;
  if (is_even) divide_evenly(each, rate);
  for (Crossing& crossing : each.crossings)
    is_even &= std::exchange(crossing.load, 0) <= links_[crossing.link].capacity;
  if (is_even) return rate;
  forget_problem();
  add_to_problem(each, 1, true);
  solve_problem(false);
  return rate_of(0);
}

}  // namespace tutti::engines
