// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/path_shares.hpp"

namespace tutti::engines {
namespace {

constexpr double most_overload = 1e-10;   // relative, by rounding
constexpr double trunk_rounding = 1e-12;  // of the sum of a divided column's parts

std::span<const PathProblem::Use> column_of(const PathColumns& columns, std::size_t number) {
  const std::size_t first = number == 0 ? 0 : columns.ends[number - 1];
  return std::span(columns.uses).subspan(first, columns.ends[number] - first);
}

}  // namespace

// Finds the links that all columns use in full, and how an even division over the preferred columns
// uses all links.
void PathShares::find_trunk(const PathColumns& columns, std::vector<LinkId>& trunk, Class& each) {
  struct Sum {
    std::size_t in_full = 0;  // columns that use it in full
    double preferred = 0;
  };
  std::map<LinkId, Sum> sums;
  std::map<LinkId, double> weights;
  for (std::size_t number = 0; number < columns.ends.size(); ++number) {
    weights.clear();
    for (const auto& [link, weight] : column_of(columns, number)) weights[link] += weight;
    for (const auto& [link, weight] : weights) {
      sums[link].in_full += std::abs(weight - 1) <= trunk_rounding ? 1 : 0;
      if (number < columns.preferred) sums[link].preferred += weight;
    }
  }
  for (const auto& [link, sum] : sums) {
    if (sum.in_full == columns.ends.size()) trunk.push_back(link);
    if (sum.preferred > 0)
      each.even.push_back({link, sum.preferred / static_cast<double>(columns.preferred)});
  }
}

// What all columns together can carry.
double PathShares::most_rate(const PathColumns& columns) const {
  double sum = 0;
  for (std::size_t number = 0; number < columns.ends.size(); ++number) {
    double least = no_limit;
    for (const auto& [link, weight] : column_of(columns, number))
      least = std::min(least, capacity_[link] / weight);
    sum += least;
  }
  return sum;
}

ClassId PathShares::add(const PathColumns& columns, double limit_Bps) {
  const ClassId id = classes_.take();
  Class& each = classes_[id];
  each = {.columns = columns, .limit = limit_Bps};
  std::vector<LinkId> trunk;
  find_trunk(columns, trunk, each);
  each.trunk = trunks_.add(trunk, std::min(limit_Bps, most_rate(columns)));
  if (each.trunk >= owner_of_trunk_.size()) owner_of_trunk_.resize(each.trunk + 1);
  owner_of_trunk_[each.trunk] = id;
  return id;
}

void PathShares::remove(ClassId id) {
  spread(classes_[id], 0);
  trunks_.remove(classes_[id].trunk);
  classes_.give_back(id);
}

void PathShares::set_flows(ClassId id, std::uint32_t flows) {
  Class& each = classes_[id];
  each.flows = flows;
  trunks_.set_flows(each.trunk, flows);
  if (!std::exchange(each.is_touched, true)) touched_.push_back(id);
  if (flows > 0 && each.place == none) {
    each.place = static_cast<std::uint32_t>(active_.size());
    active_.push_back(id);
  } else if (flows == 0 && each.place != none) {
    classes_[active_.back()].place = each.place;
    active_[each.place] = active_.back();
    active_.pop_back();
    each.place = none;
  }
}

void PathShares::forget_problem() {
  for (const LinkId link : used_) local_[link] = none;
  used_.clear();
  problem_.clear();
}

void PathShares::add_to_problem(const Class& each, double flows) {
  problem_.add_class(flows, each.limit);
  for (std::size_t number = 0; number < each.columns.ends.size(); ++number) {
    uses_.clear();
    for (const auto& [link, weight] : column_of(each.columns, number)) {
      if (local_[link] == none) {
        local_[link] = static_cast<std::uint32_t>(used_.size());
        used_.push_back(link);
        problem_.capacity.push_back(capacity_[link]);
      }
      uses_.push_back({local_[link], weight});
    }
    problem_.add_column(uses_, number < each.columns.preferred);
  }
}

void PathShares::build() {
  forget_problem();
  for (const ClassId id : active_) add_to_problem(classes_[id], classes_[id].flows);
}

// Starts from the division by water-filling, which is often the optimum.
void PathShares::fill_optimally() {
  extended_.clear();
  extended_.capacity = problem_.capacity;
  for (std::uint32_t id = 0; id < problem_.classes.size(); ++id) {
    const auto& each = problem_.classes[id];
    extended_.add_class(each.flows, each.limit);
    uses_.clear();
    for (std::uint32_t column = each.first_column; column < each.end_column; ++column)
      for (const auto& use : problem_.uses_of(column))
        if (water_.amount(column) > 0)
          uses_.push_back({use.link, use.weight * water_.amount(column) / water_.rate(id)});
    extended_.add_column(uses_);
    for (std::uint32_t column = each.first_column; column < each.end_column; ++column)
      extended_.add_column(problem_.uses_of(column));
  }
  has_failed_ = !optimum_.solve(extended_, certify_) || has_failed_;
}

// Replaces what the class carries if it divides its flows evenly.
void PathShares::spread(Class& each, double rate) {
  const double total = rate * each.flows;
  if (total == each.spread) return;
  for (const auto& [id, weight] : each.even) {
    FabricLink& link = fabric_[id];
    link.users += (total > 0 ? 1 : 0) - (each.spread > 0 ? 1 : 0);
    link.load = link.users > 0 ? link.load + weight * (total - each.spread) : 0;
    const bool is_overloaded = link.load > capacity_[id] * (1 + most_overload);
    overloaded_ += (is_overloaded ? 1 : 0) - (link.is_overloaded ? 1 : 0);
    link.is_overloaded = is_overloaded;
  }
  each.spread = total;
}

void PathShares::set_rate(ClassId id, double rate) {
  Class& each = classes_[id];
  if (rate == each.rate && !each.is_touched) return;
  each.rate = rate;
  changed_.push_back(id);
}

void PathShares::take_trunk_rates() {
  moved_.clear();
  for (const ClassId changed : trunks_.solve().classes) {
    const ClassId id = owner_of_trunk_[changed];
    spread(classes_[id], trunks_.rate(changed));
    moved_.push_back(id);
  }
  for (const ClassId id : touched_)
    if (classes_[id].flows == 0) spread(classes_[id], 0);
}

void PathShares::fill_all() {
  ++full_solves_;
  build();
  water_.solve(problem_);
  if (is_optimal_ && !has_failed_) fill_optimally();
  for (std::uint32_t number = 0; number < active_.size(); ++number)
    set_rate(active_[number], filled_rate(number));
}

std::span<const ClassId> PathShares::solve() {
  ++solves_;
  changed_.clear();
  take_trunk_rates();
  if (overloaded_ > 0) {
    fill_all();
  } else {
    for (const ClassId id : was_full_ ? active_ : moved_)
      set_rate(id, trunks_.rate(classes_[id].trunk));
  }
  was_full_ = overloaded_ > 0;
  for (const ClassId id : touched_) classes_[id].is_touched = false;
  touched_.clear();
  return changed_;
}

double PathShares::idle_rate(const PathColumns& columns, double limit_Bps) {
  forget_problem();
  add_to_problem({.columns = columns, .limit = limit_Bps}, 1);
  water_.solve(problem_);
  return water_.rate(0);
}

}  // namespace tutti::engines
