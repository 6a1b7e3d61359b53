// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/water_filling.hpp"

namespace tutti::engines {
namespace {

constexpr double same_time = 1e-13;  // relative: links that are saturated at once

}  // namespace

void WaterFilling::solve(const PathProblem& problem) {
  problem_ = &problem;
  prepare();
  announce();
  std::size_t next_limit = 0;
  while (open_ > 0) {
    while (next_limit < by_limit_.size() && states_[by_limit_[next_limit]].open == 0) ++next_limit;
    const bool has_limit = next_limit < by_limit_.size();
    TUTTI_CHECK(!due_.empty() || has_limit, "a class without a limit");
    const double limit = has_limit ? problem.classes[by_limit_[next_limit]].limit : 0;
    if (has_limit && limit <= due_.next_key()) {
      time_ = std::max(time_, limit);
      close_class(by_limit_[next_limit]);
    } else {
      pop_due();
    }
    announce();
  }
}

// Takes the first entry of the queue. If the link fills more slowly than when it was queued, it is
// queued again.
void WaterFilling::pop_due() {
  const double date = due_.next_key();
  const Due due = due_.pop();
  LinkState& state = links_[due.link];
  if (due.stamp != state.stamp) return;
  state.due = std::numeric_limits<double>::infinity();
  if (state.is_full || state.drift <= 0) return;
  const double time = time_of_full(state, due.link);
  if (time > date * (1 + same_time)) return queue(due.link, time);
  if (date > time_ * (1 + same_time)) time_ = date;
  saturate(due.link);
}

void WaterFilling::prepare() {
  const auto& capacity = problem_->capacity;
  const auto& columns = problem_->columns;
  const auto& classes = problem_->classes;
  time_ = 0;
  open_ = static_cast<Index>(classes.size());
  states_.assign(classes.size(), {});
  links_.assign(capacity.size(), {});
  amount_.assign(columns.size(), 0);
  is_open_.assign(columns.size(), false);
  due_.clear();
  by_limit_.clear();
  list_users();
  for (Index id = 0; id < classes.size(); ++id) {
    fill_trunk(id, 1);
    begin_tier(id);
    if (classes[id].limit < std::numeric_limits<double>::infinity()) by_limit_.push_back(id);
  }
  std::stable_sort(by_limit_.begin(), by_limit_.end(),
                   [&](Index a, Index b) { return classes[a].limit < classes[b].limit; });
}

// `visit(add)` calls add(link, user) for all users, the same ones each time.
template <class Visit>
void WaterFilling::Users::list(std::size_t links, Visit visit) {
  first.assign(links + 2, 0);
  visit([&](Index link, Index) { ++first[link + 2]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  all.resize(first.back());
  visit([&](Index link, Index user) { all[first[link + 1]++] = user; });
}

void WaterFilling::list_users() {
  const auto& columns = problem_->columns;
  const auto& classes = problem_->classes;
  columns_on_.list(problem_->capacity.size(), [&](auto add) {
    for (Index column = 0; column < columns.size(); ++column)
      for (const auto& use : problem_->uses_of(column)) add(use.link, column);
  });
  trunks_on_.list(problem_->capacity.size(), [&](auto add) {
    for (Index id = 0; id < classes.size(); ++id)
      for (const Index link : problem_->trunk_of(classes[id])) add(link, id);
  });
}

// Opens the columns of the class's tier without full links; closes the class if there are none.
void WaterFilling::begin_tier(Index id) {
  const auto& owner = problem_->classes[id];
  State& state = states_[id];
  state.amount = 0;
  state.since = time_;
  const Index first = state.is_preferred ? owner.first_column : owner.end_preferred;
  const Index end = state.is_preferred ? owner.end_preferred : owner.end_column;
  for (Index column = first; column < end; ++column) {
    const auto links = problem_->uses_of(column);
    is_open_[column] = std::none_of(links.begin(), links.end(),
                                    [&](const auto& use) { return links_[use.link].is_full; });
    state.open += is_open_[column] ? 1 : 0;
  }
  if (state.open > 0) return fill(id, share(state));
  if (std::exchange(state.is_preferred, false)) return begin_tier(id);
  stop(id);
}

// Adds `share` to the rate at which each open column of the class fills its links.
void WaterFilling::fill(Index id, double share) {
  const auto& owner = problem_->classes[id];
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (is_open_[column]) fill_column(column, owner.flows * share, 1);
}

void WaterFilling::fill_column(Index column, double flow, int users) {
  for (const auto& use : problem_->uses_of(column)) {
    touch(use.link);
    links_[use.link].drift += flow * use.weight;
    links_[use.link].users += static_cast<Index>(users);
  }
}

void WaterFilling::fill_trunk(Index id, int users) {
  const auto& owner = problem_->classes[id];
  for (const Index link : problem_->trunk_of(owner)) {
    touch(link);
    links_[link].drift += users * owner.flows;
    links_[link].users += static_cast<Index>(users);
  }
}

// Brings the load of a link up to date, whose drift is about to change.
void WaterFilling::touch(Index link) {
  LinkState& state = links_[link];
  state.load += state.drift * (time_ - state.since);
  state.since = time_;
  if (!std::exchange(state.is_touched, true)) touched_.push_back(link);
}

double WaterFilling::time_of_full(const LinkState& state, Index link) const {
  return state.since + std::max(0.0, problem_->capacity[link] - state.load) / state.drift;
}

void WaterFilling::queue(Index link, double due) {
  links_[link].due = due;
  due_.push(due, {link, ++links_[link].stamp});
}

// Queues the touched links that fill faster.
void WaterFilling::announce() {
  for (const Index link : touched_) {
    LinkState& state = links_[link];
    state.is_touched = false;
    if (state.users == 0) state.drift = 0;
    if (state.is_full || state.drift <= 0) continue;
    if (const double due = time_of_full(state, link); due < state.due) queue(link, due);
  }
  touched_.clear();
}

void WaterFilling::saturate(Index link) {
  links_[link].is_full = true;
  for (const Index column : columns_on_.of(link))
    if (is_open_[column]) close_column(column);
  for (const Index id : trunks_on_.of(link))
    if (states_[id].open > 0) close_class(id);
}

void WaterFilling::count(Index id) {
  State& state = states_[id];
  state.amount += (time_ - state.since) * share(state);
  state.since = time_;
}

void WaterFilling::close_column(Index column) {
  const Index id = problem_->columns[column].owner;
  const auto& owner = problem_->classes[id];
  State& state = states_[id];
  count(id);
  const double before = share(state);
  fill_column(column, -owner.flows * before, -1);
  is_open_[column] = false;
  amount_[column] = state.amount;
  if (--state.open > 0) {
    for (Index other = owner.first_column; other < owner.end_column; ++other)
      if (is_open_[other]) fill_column(other, owner.flows * (share(state) - before), 0);
    return;
  }
  if (std::exchange(state.is_preferred, false)) return begin_tier(id);
  stop(id);
}

void WaterFilling::close_class(Index id) {
  const auto& owner = problem_->classes[id];
  State& state = states_[id];
  count(id);
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (is_open_[column]) {
      fill_column(column, -owner.flows * share(state), -1);
      amount_[column] = state.amount;
    }
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    is_open_[column] = false;
  state.open = 0;
  stop(id);
}

void WaterFilling::stop(Index id) {
  states_[id].rate = time_;
  fill_trunk(id, -1);
  --open_;
}

}  // namespace tutti::engines
