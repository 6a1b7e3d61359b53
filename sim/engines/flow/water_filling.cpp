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
  Due due;
  while (open_ > 0) {
    const bool has_due = next_due(due);
    while (next_limit < by_limit_.size() && states_[by_limit_[next_limit]].open == 0) ++next_limit;
    const bool has_limit = next_limit < by_limit_.size();
    TUTTI_CHECK(has_due || has_limit, "a class without a limit");
    const double limit = has_limit ? problem.classes[by_limit_[next_limit]].limit : 0;
    if (has_limit && (!has_due || limit <= due.time)) {
      time_ = std::max(time_, limit);
      close_class(by_limit_[next_limit]);
    } else {
      if (due.time > time_ * (1 + same_time)) time_ = due.time;
      due_.pop();
      saturate(due.link);
    }
    announce();
  }
}

void WaterFilling::prepare() {
  const auto& [capacity, uses, columns, classes] = *problem_;
  time_ = 0;
  open_ = static_cast<Index>(classes.size());
  states_.assign(classes.size(), {});
  links_.assign(capacity.size(), {});
  amount_.assign(columns.size(), 0);
  is_open_.assign(columns.size(), false);
  due_ = {};
  by_limit_.clear();
  list_columns();
  for (Index id = 0; id < classes.size(); ++id) {
    begin_tier(id);
    if (classes[id].limit < std::numeric_limits<double>::infinity()) by_limit_.push_back(id);
  }
  std::stable_sort(by_limit_.begin(), by_limit_.end(),
                   [&](Index a, Index b) { return classes[a].limit < classes[b].limit; });
}

void WaterFilling::list_columns() {
  const auto& [capacity, uses, columns, classes] = *problem_;
  first_on_.assign(capacity.size() + 1, 0);
  for (const auto& use : uses) ++first_on_[use.link + 1];
  std::partial_sum(first_on_.begin(), first_on_.end(), first_on_.begin());
  columns_on_.resize(uses.size());
  auto next = first_on_;
  for (Index column = 0; column < columns.size(); ++column)
    for (const auto& use : problem_->uses_of(column)) columns_on_[next[use.link]++] = column;
}

// Opens the columns of the class's tier that have room; closes the class if none has.
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
  state.rate = time_;
  --open_;
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

// Brings the load of a link up to date, whose drift is about to change.
void WaterFilling::touch(Index link) {
  LinkState& state = links_[link];
  state.load += state.drift * (time_ - state.since);
  state.since = time_;
  if (!std::exchange(state.is_touched, true)) touched_.push_back(link);
}

// Queues the touched links anew.
void WaterFilling::announce() {
  for (const Index link : touched_) {
    LinkState& state = links_[link];
    state.is_touched = false;
    ++state.stamp;
    if (state.users == 0) state.drift = 0;
    if (state.is_full || state.drift <= 0) continue;
    const double room = std::max(0.0, problem_->capacity[link] - state.load);
    due_.push({time_ + room / state.drift, link, state.stamp});
  }
  touched_.clear();
}

bool WaterFilling::next_due(Due& due) {
  while (!due_.empty() && due_.top().stamp != links_[due_.top().link].stamp) due_.pop();
  if (due_.empty()) return false;
  due = due_.top();
  return true;
}

void WaterFilling::saturate(Index link) {
  links_[link].is_full = true;
  for (Index i = first_on_[link]; i < first_on_[link + 1]; ++i)
    if (is_open_[columns_on_[i]]) close_column(columns_on_[i]);
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
  state.rate = time_;
  --open_;
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
  state.rate = time_;
  --open_;
}

}  // namespace tutti::engines
