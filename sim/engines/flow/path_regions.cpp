// SPDX-License-Identifier: BSD-3-Clause
// The region of a change: its classes, and their rates and divisions.
#include "sim/engines/flow/path_shares.hpp"

namespace tutti::engines {
namespace {

constexpr double full = 1 - 1e-9;  // of a capacity; a link that is called full too early costs time
constexpr double even_rounding = 1e-9;        // of a rate
constexpr double most_infeasible = 1 + 1e-6;  // of a capacity; by rounding errors of an optimum

}  // namespace

// Moves a class into the region; links lose its load.
void PathShares::gather(ClassId id) {
  Class& owner = classes_[id];
  if (std::exchange(owner.visited, round_) == round_) return;
  take_loads(owner);
  region_.push_back(id);
}

void PathShares::gather_members(LinkId id) {
  LinkState& link = links_[id];
  if (std::exchange(link.visited, round_) == round_) return;
  lists_.visit(link.members, [&](ClassId member) { gather(member); });
}

// Gathers all classes that are connected with the region by full links; for an optimum, also by
// links that the others fill: a linear program should not have links without capacity.
void PathShares::gather_connected() {
  for (; connected_ < region_.size(); ++connected_) {
    const Class& owner = classes_[region_[connected_]];
    for (const Crossing& crossing : owner.crossings)
      if ((owner.is_filled && links_[crossing.link].is_full) || trunks_.is_full(crossing.link))
        gather_members(crossing.link);
  }
  if (!is_optimal_) return;
  for (std::size_t i = 0; i < connected_; ++i)
    for (const Crossing& crossing : classes_[region_[i]].crossings)
      if (const LinkState& link = links_[crossing.link];
          link.users > 0 && link.load >= full * link.capacity)
        gather_others(crossing.link);
  if (connected_ < region_.size()) gather_connected();
}

// Gathers the members of a link some of which may have been gathered before.
void PathShares::gather_others(LinkId id) {
  links_[id].visited = 0;
  gather_members(id);
}

void PathShares::fill_region() {
  connected_ = 0;
  do {
    gather_connected();
    build_problem(region_, false);
    solve_problem(false);
    divide_region();
    has_failed_ = has_failed_ || (is_optimal_ && is_infeasible());
  } while (join_others());
  fillings_ += static_cast<std::int64_t>(numbered_.size());
}

// ---- the problem ----

void PathShares::forget_problem() {
  for (const LinkId id : used_) links_[id].number = 0;
  used_.clear();
  problem_.clear();
}

// Unless the problem `is_alone`, links have the capacity that classes outside the region leave.
void PathShares::add_to_problem(const Class& owner, double flows, bool is_alone) {
  numbers_.clear();
  for (const Crossing& crossing : owner.crossings) {
    LinkState& link = links_[crossing.link];
    if (link.number == 0) {
      used_.push_back(crossing.link);
      link.number = static_cast<std::uint32_t>(used_.size());
      problem_.capacity.push_back(std::max(0.0, link.capacity - (is_alone ? 0 : link.load)));
    }
    numbers_.push_back(link.number - 1);
  }
  problem_.add_class(flows, owner.limit, std::span(numbers_).first(owner.trunk_links));
  for (std::uint32_t column = 0; column < owner.ends.size(); ++column) {
    const std::size_t first_use = problem_.uses.size();
    for (auto hop = owner.first_hop(column); hop < owner.ends[column]; ++hop)
      if (owner.hops[hop] >= owner.trunk_links)
        problem_.uses.push_back({numbers_[owner.hops[hop]], owner.weight(hop)});
    problem_.end_column(first_use, column < owner.preferred);
  }
}

void PathShares::build_problem(std::span<const ClassId> classes, bool is_alone) {
  forget_problem();
  numbered_.clear();
  for (const ClassId id : classes) {
    if (classes_[id].flows == 0) continue;
    numbered_.push_back(id);
    add_to_problem(classes_[id], classes_[id].flows, is_alone);
  }
}

// `certify`: with prices for the audit.
void PathShares::solve_problem(bool certify) {
  water_.solve(problem_);
  if (is_optimal_ && !has_failed_) fill_optimally(certify);
}

// Starts from the division by water-filling, which is often the optimum; for classes that it gives
// no rate, from their first column.
void PathShares::fill_optimally(bool certify) {
  const PathProblem whole = problem_.without_trunks();
  extended_.clear();
  extended_.capacity = whole.capacity;
  for (std::uint32_t id = 0; id < whole.classes.size(); ++id) {
    const auto& owner = whole.classes[id];
    extended_.add_class(owner.flows, owner.limit);
    uses_.clear();
    for (std::uint32_t column = owner.first_column; column < owner.end_column; ++column)
      for (const auto& use : whole.uses_of(column))
        if (const double part = water_part(id, column - owner.first_column); part > 0)
          uses_.push_back({use.link, use.weight * part});
    extended_.add_column(uses_);
    for (std::uint32_t column = owner.first_column; column < owner.end_column; ++column)
      extended_.add_column(whole.uses_of(column));
  }
  has_failed_ = !optimum_.solve(extended_, certify) || has_failed_;
}

// The part of the class's rate that water-filling puts on the column.
double PathShares::water_part(std::uint32_t number, std::uint32_t column) const {
  if (water_.rate(number) == 0) return column == 0 ? 1 : 0;
  return water_.amount(problem_.classes[number].first_column + column) / water_.rate(number);
}

double PathShares::solved_rate(std::uint32_t number) const {
  return is_optimal_ && !has_failed_ ? optimum_.rate(number) : water_.rate(number);
}

// The part of a flow's rate over a column of the class.
double PathShares::solved_amount(std::uint32_t number, std::uint32_t column) const {
  if (!is_optimal_ || has_failed_)
    return water_.amount(problem_.classes[number].first_column + column);
  const std::uint32_t first = extended_.classes[number].first_column;
  return optimum_.amount(first) * water_part(number, column) + optimum_.amount(first + 1 + column);
}

void PathShares::divide_region() {
  sum_.assign(used_.size(), 0);
  for (std::uint32_t number = 0; number < numbered_.size(); ++number) {
    Class& owner = classes_[numbered_[number]];
    divide(owner,
           [&](std::uint32_t column) { return owner.flows * solved_amount(number, column); });
    for (const Crossing& crossing : owner.crossings)
      sum_[links_[crossing.link].number - 1] += crossing.load;
  }
}

// ---- the region's border ----

// Whether an optimum overloads a link by more than rounding.
bool PathShares::is_infeasible() const {
  for (const LinkId id : used_)
    if (links_[id].load + sum_[links_[id].number - 1] > most_infeasible * links_[id].capacity)
      return true;
  return false;
}

// Whether the link is full with what the region puts on it.
bool PathShares::becomes_full(LinkId id) const {
  const LinkState& link = links_[id];
  return link.load + sum_[link.number - 1] >= full * link.capacity;
}

// Gathers the users of full links that classes of the region have reached. False if there are none.
bool PathShares::join_others() {
  const std::size_t before = region_.size();
  for (std::uint32_t number = 0; number < numbered_.size(); ++number) {
    const Class& owner = classes_[numbered_[number]];
    const bool reaches_all = is_optimal_ || water_.has_used_preferred(number);
    const auto columns = reaches_all ? owner.ends.size() : owner.preferred;
    for (std::uint32_t hop = 0; hop < owner.first_hop(columns); ++hop) {
      const LinkId id = owner.crossings[owner.hops[hop]].link;
      if (links_[id].users > 0 && becomes_full(id)) gather_others(id);
    }
  }
  return region_.size() > before;
}

// Whether the optimum divides the class in another way than evenly over its preferred columns.
bool PathShares::is_uneven(std::uint32_t number) const {
  if (!is_optimal_ || has_failed_) return false;
  const Class& owner = classes_[numbered_[number]];
  for (std::uint32_t column = 0; column < owner.ends.size(); ++column) {
    const double even = column < owner.preferred ? solved_rate(number) / owner.preferred : 0;
    if (std::abs(solved_amount(number, column) - even) > even_rounding * solved_rate(number))
      return true;
  }
  return false;
}

// Finds the classes that remain filled: those that use full links beyond their trunks or are not
// divided evenly, and all of the region that are connected with them by full links. (Classes
// outside the region that only have an unused detour over such a link are not affected.)
void PathShares::find_filled() {
  ++round_;
  filled_.clear();
  const auto keep = [&](ClassId id) {
    if (classes_[id].visited != round_ - 1) return;
    classes_[id].visited = round_;
    filled_.push_back(id);
  };
  for (std::uint32_t number = 0; number < numbered_.size(); ++number) {
    const ClassId id = numbered_[number];
    const Class& owner = classes_[id];
    if (is_uneven(number)) keep(id);
    for (std::size_t i = owner.trunk_links; i < owner.crossings.size(); ++i)
      if (owner.crossings[i].load > 0 && becomes_full(owner.crossings[i].link)) keep(id);
  }
  for (std::size_t i = 0; i < filled_.size(); ++i)
    for (const Crossing& crossing : classes_[filled_[i]].crossings)
      if (becomes_full(crossing.link) || trunks_.is_full(crossing.link))
        if (std::exchange(links_[crossing.link].visited, round_) != round_)
          lists_.visit(links_[crossing.link].members, keep);
}

// Ends the change: the classes of the region get their rates, and links their loads.
void PathShares::settle() {
  for (const ClassId id : region_)
    if (classes_[id].flows == 0) leave(classes_[id]);
  find_filled();
  for (std::uint32_t number = 0; number < numbered_.size(); ++number) {
    const ClassId id = numbered_[number];
    Class& owner = classes_[id];
    set_filled(owner, owner.visited == round_);
    set_rate(id, owner.is_filled ? solved_rate(number) : trunks_.rate(owner.trunk));
    if (owner.is_filled) {
      list(id, static_cast<std::uint32_t>(owner.ends.size()));
      continue;
    }
    divide_evenly(owner, owner.flows * owner.rate);
    list(id, owner.preferred);
    for (Crossing& crossing : owner.crossings)
      if (crossing.load == 0) unlist(crossing);
  }
  for (const LinkId id : used_) links_[id].is_full = links_[id].filled > 0 && becomes_full(id);
  for (const ClassId id : numbered_) put_loads(classes_[id]);
}

}  // namespace tutti::engines
