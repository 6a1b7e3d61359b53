// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/path_filling.hpp"

#include "sim/base/random.hpp"

namespace tutti::engines {
namespace {

constexpr double perturbation = 1e-11;    // of a capacity, so that links are not full at once
constexpr double room_rounding = 1e-14;   // of a capacity
constexpr double least_relative = 1e-10;  // of a sum of terms; less is a rounding error
constexpr std::int64_t pivots_per_rebuild = 64;
constexpr std::int64_t most_pivots = 20'000;  // per solution
constexpr int most_idle_steps = 100;          // afterwards by smallest numbers (Bland)

}  // namespace

bool PathFilling::solve(const PathProblem& problem, bool certify) {
  problem_ = &problem;
  certify_ = certify;
  prepare();
  const std::int64_t last = pivots_ + most_pivots;
  while (open_ > 0) {
    if (is_stuck_ || pivots_ > last) return false;
    if (basics_.empty()) freeze_full_links();
    if (open_ == 0) break;
    if (pivots_ - rebuilt_ >= pivots_per_rebuild) rebuild();
    find_direction();
    const Step step = longest_step();
    if (step.length == std::numeric_limits<double>::infinity()) return false;
    advance(step.length);
    idle_steps_ = step.length > 0 ? 0 : idle_steps_ + 1;
    leave(step);
  }
  finish();
  return !is_stuck_;
}

void PathFilling::prepare() {
  const auto& capacity = problem_->capacity;
  capacity_.resize(capacity.size());
  for (Index link = 0; link < capacity.size(); ++link)
    capacity_[link] = capacity[link] * (1 - perturbation * random_uniform(0, 0, link));
  const auto& columns = problem_->columns;
  const auto& classes = problem_->classes;
  time_ = 0;
  is_stuck_ = false;
  open_ = static_cast<Index>(classes.size());
  rate_.assign(classes.size(), 0);
  amount_.assign(columns.size(), 0);
  is_open_.assign(classes.size(), true);
  position_.assign(columns.size(), none);
  for (auto* each : {&load_, &key_drift_, &reference_, &price_}) each->assign(capacity.size(), 0);
  row_of_.assign(capacity.size(), none);
  visited_.assign(classes.size(), 0);
  search_ = 0;
  rebuilt_ = pivots_;
  basics_.clear();
  rows_.clear();
  priced_.clear();
  prices_.clear();
  full_.clear();
  inverse_.clear();
  if (users_.size() < capacity.size()) users_.resize(capacity.size());
  for (auto& each : users_) each.clear();
  key_.resize(classes.size());
  by_limit_.clear();
  next_limit_ = 0;
  for (Index id = 0; id < classes.size(); ++id) {
    key_[id] = classes[id].first_column;
    add_use(id, 1);
    for (const auto& use : uses(key_[id])) users_[use.link].push_back(id);
    if (classes[id].limit < std::numeric_limits<double>::infinity()) by_limit_.push_back(id);
  }
  std::stable_sort(by_limit_.begin(), by_limit_.end(),
                   [&](Index a, Index b) { return classes[a].limit < classes[b].limit; });
}

void PathFilling::add_use(Index id, double factor) {
  const double flows = factor * problem_->classes[id].flows;
  for (const auto& use : uses(key_[id])) {
    key_drift_[use.link] += flows * use.weight;
    if (flows > 0) reference_[use.link] += flows * use.weight;
  }
}

// Computes inverse, amounts and loads anew, so that rounding errors do not accumulate.
void PathFilling::rebuild() {
  rebuilt_ = pivots_;
  const std::size_t size = basics_.size();
  std::vector<double> matrix(size * size);
  for (std::size_t k = 0; k < size; ++k) {
    matrix_column(basics_[k], values_);
    for (std::size_t row = 0; row < size; ++row) matrix[row * size + k] = values_[row];
  }
  inverse_.set(size, std::move(matrix));
  load_.assign(problem_->capacity.size(), 0);
  for (Index id = 0; id < key_.size(); ++id) add_load(key_[id], rate_now(id));
  values_.clear();
  for (const Index link : rows_) values_.push_back(capacity_[link] - load_[link]);
  inverse_.times(values_, products_);
  for (std::size_t i = 0; i < size; ++i) {
    amount_[basics_[i]] = std::max(0.0, products_[i]);
    add_load(basics_[i], products_[i]);
    add_load(key_of(basics_[i]), -products_[i]);
  }
}

void PathFilling::add_load(Index column, double amount) {
  const double flow = flows_of(column) * amount;
  for (const auto& use : uses(column)) load_[use.link] += flow * use.weight;
}

// Without columns but the keys, the loads rise as those of the keys, and a link that is full can
// only block its classes.
void PathFilling::freeze_full_links() {
  for (const Index link : std::exchange(full_, {})) {
    if (!basics_.empty()) return;
    if (key_drift_[link] > least_relative * reference_[link]) leave_link(link);
  }
}

void PathFilling::find_direction() {
  drift_ = key_drift_;
  gross_ = reference_;
  direction_.clear();
  if (basics_.empty()) return;
  values_.clear();
  for (const Index link : rows_) values_.push_back(-key_drift_[link]);
  inverse_.times(values_, direction_);
  for (std::size_t i = 0; i < basics_.size(); ++i) {
    if (std::abs(direction_[i]) < least_relative) direction_[i] = 0;
    const double flows = flows_of(basics_[i]) * direction_[i];
    for (const auto& use : uses(basics_[i])) {
      drift_[use.link] += flows * use.weight;
      gross_[use.link] += std::abs(flows * use.weight);
    }
    for (const auto& use : uses(key_of(basics_[i]))) {
      drift_[use.link] -= flows * use.weight;
      gross_[use.link] += std::abs(flows * use.weight);
    }
  }
  for (const Index link : rows_) drift_[link] = 0;
}

double PathFilling::key_amount(Index id) const {
  const auto& owner = problem_->classes[id];
  double left = rate_now(id);
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (position_[column] != none) left -= amount_[column];
  return left;
}

double PathFilling::key_drift(Index id) const {
  const auto& owner = problem_->classes[id];
  double left = is_open_[id] ? 1 : 0;
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (position_[column] != none) left -= direction_[position_[column]];
  return left;
}

PathFilling::Step PathFilling::longest_step() {
  Step step;
  const auto& capacity = capacity_;
  for (Index link = 0; link < capacity.size(); ++link) {
    if (drift_[link] <= least_relative * gross_[link]) continue;
    double room = capacity[link] - load_[link];
    if (room <= room_rounding * capacity[link]) room = 0;
    const double length = room / drift_[link];
    if (length < step.length) step = {.length = length, .link = link};
  }
  const double scale = room_rounding * std::max(time_, 1e-300);
  const auto consider = [&](double amount, double drift, Index column) {
    if (drift >= -least_relative) return;
    const double length = amount <= scale ? 0 : amount / -drift;
    if (length < step.length) step = {.length = length, .column = column};
  };
  for (std::size_t i = 0; i < basics_.size(); ++i) {
    consider(amount_[basics_[i]], direction_[i], basics_[i]);
    const Index id = problem_->columns[basics_[i]].owner;
    consider(key_amount(id), key_drift(id), key_[id]);
  }
  while (next_limit_ < by_limit_.size() && !is_open_[by_limit_[next_limit_]]) ++next_limit_;
  if (next_limit_ < by_limit_.size()) {
    const Index id = by_limit_[next_limit_];
    const double length = std::max(0.0, problem_->classes[id].limit - time_);
    if (length <= step.length) step = {.length = length, .owner = id};
  }
  return step;
}

void PathFilling::advance(double length) {
  const auto& capacity = capacity_;
  time_ += length;
  for (std::size_t i = 0; i < basics_.size(); ++i)
    amount_[basics_[i]] = std::max(0.0, amount_[basics_[i]] + length * direction_[i]);
  for (Index link = 0; link < capacity.size(); ++link) {
    if (drift_[link] == 0) continue;
    load_[link] += length * drift_[link];
    if (drift_[link] > 0 && capacity[link] - load_[link] <= room_rounding * capacity[link])
      full_.push_back(link);
  }
}

void PathFilling::leave(const Step& step) {
  if (step.owner != none) return freeze(step.owner);
  ++pivots_;
  if (step.link != none) return leave_link(step.link);
  leave_column(step.column);
}

void PathFilling::set_price(Index link, double price) {
  if (price == 0) return;
  price_[link] = price;
  priced_.push_back(link);
}

void PathFilling::clear_prices() {
  for (const Index link : priced_) price_[link] = 0;
  priced_.clear();
}

double PathFilling::price_of(Index column) const {
  double sum = 0;
  for (const auto& use : uses(column)) sum += price_[use.link] * use.weight;
  return sum;
}

double PathFilling::weight_on(Index column, Index link) const {
  for (const auto& use : uses(column))
    if (use.link == link) return use.weight;
  return 0;
}

void PathFilling::matrix_column(Index column, std::vector<double>& values) {
  values.assign(rows_.size(), 0);
  const double flows = flows_of(column);
  for (const auto& use : uses(column))
    if (row_of_[use.link] != none) values[row_of_[use.link]] += flows * use.weight;
  for (const auto& use : uses(key_of(column)))
    if (row_of_[use.link] != none) values[row_of_[use.link]] -= flows * use.weight;
}

void PathFilling::matrix_row(Index link, std::vector<double>& values) {
  values.clear();
  for (const Index column : basics_)
    values.push_back(flows_of(column) *
                     (weight_on(column, link) - weight_on(key_of(column), link)));
}

void PathFilling::leave_link(Index link) {
  matrix_row(link, values_);
  inverse_.left_times(values_, products_);
  clear_prices();
  set_price(link, 1);
  Index least = none;
  for (Index row = 0; row < rows_.size(); ++row) {
    double price = -products_[row];
    if (std::abs(price) < least_relative) price = 0;
    set_price(rows_[row], price);
    if (price < 0 && (least == none || price < -products_[least])) least = row;
  }
  if (least != none) {
    inverse_.replace_row(least, values_);
    row_of_[rows_[least]] = none;
    rows_[least] = link;
    row_of_[link] = least;
    return;
  }
  const Index column = cheapest_column();
  if (column == none) return block();
  std::vector<double> entering;
  matrix_column(column, entering);
  const double corner =
      flows_of(column) * (weight_on(column, link) - weight_on(key_of(column), link));
  inverse_.grow(values_, entering, corner);
  position_[column] = static_cast<Index>(basics_.size());
  amount_[column] = 0;
  basics_.push_back(column);
  row_of_[link] = static_cast<Index>(rows_.size());
  rows_.push_back(link);
}

// A class gets another key: the basic column that carries most. Returns the position of the old
// one.
PathFilling::Index PathFilling::swap_key(Index id) {
  const auto& owner = problem_->classes[id];
  Index largest = none;
  same_.clear();
  const double amount = std::max(0.0, key_amount(id));
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (position_[column] != none && (largest == none || amount_[column] > amount_[largest]))
      largest = column;
  TUTTI_CHECK(largest != none, "a key without an alternative cannot leave");
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (position_[column] != none && column != largest) same_.push_back(position_[column]);
  const Index place = position_[largest];
  inverse_.exchange_key(place, same_);
  if (is_open_[id]) add_use(id, -1);
  basics_[place] = key_[id];
  position_[key_[id]] = place;
  amount_[key_[id]] = amount;
  position_[largest] = none;
  key_[id] = largest;
  if (is_open_[id]) add_use(id, 1);
  for (const auto& use : uses(largest)) users_[use.link].push_back(id);
  return place;
}

void PathFilling::leave_column(Index column) {
  const Index id = problem_->columns[column].owner;
  const Index place = key_[id] == column ? swap_key(id) : position_[column];
  clear_prices();
  Index least = none;
  double largest = 0;
  const auto prices = inverse_.row(place);
  for (const double price : prices) largest = std::max(largest, std::abs(price));
  for (Index row = 0; row < rows_.size(); ++row) {
    const double price = std::abs(prices[row]) < least_relative * largest ? 0 : prices[row];
    set_price(rows_[row], price);
    if (price < 0 && (least == none || price < prices[least])) least = row;
  }
  amount_[column] = 0;
  if (least != none) {
    inverse_.shrink(least, place);
    row_of_[rows_[least]] = none;
    if (least + 1 != rows_.size()) row_of_[rows_[least] = rows_.back()] = least;
    rows_.pop_back();
    position_[column] = none;
    if (place + 1 != basics_.size()) position_[basics_[place] = basics_.back()] = place;
    basics_.pop_back();
    return;
  }
  const Index entering = cheapest_column();
  if (entering == none) return block();
  matrix_column(entering, values_);
  inverse_.replace_column(place, values_);
  position_[column] = none;
  position_[entering] = place;
  amount_[entering] = 0;
  basics_[place] = entering;
}

// The column whose price is furthest below that of its class's key; none if there is no such
// column. Prices are not negative, so only keys that cross priced links are compared.
PathFilling::Index PathFilling::cheapest_column() {
  Index found = none;
  double least = 0;
  ++search_;
  for (const Index link : priced_)
    for (const Index id : users_[link]) {
      if (std::exchange(visited_[id], search_) == search_) continue;
      const auto& owner = problem_->classes[id];
      const double key = price_of(key_[id]);
      for (Index column = owner.first_column; column < owner.end_column; ++column) {
        if (column == key_[id] || position_[column] != none) continue;
        const double gain = owner.flows * (price_of(column) - key);
        if (gain >= -least_relative * owner.flows * key) continue;
        const bool is_better = idle_steps_ > most_idle_steps ? column < found : gain < least;
        if (found != none && !is_better) continue;
        found = column;
        least = gain;
      }
    }
  return found;
}

void PathFilling::block() {
  double largest = 0;
  ++search_;
  same_.clear();
  for (const Index link : priced_)
    for (const Index id : users_[link]) {
      if (std::exchange(visited_[id], search_) == search_ || !is_open_[id]) continue;
      const double price = price_of(key_[id]);
      largest = std::max(largest, price);
      if (price > 0) same_.push_back(id);
    }
  is_stuck_ = same_.empty();  // a full link that no open class crosses, by rounding
  for (const Index id : same_)
    if (price_of(key_[id]) > least_relative * largest) freeze(id);
  if (!certify_) return;
  PathPrice& price = prices_.emplace_back();
  price.rate = time_;
  for (const Index link : priced_) price.links.push_back({link, price_[link]});
}

void PathFilling::freeze(Index id) {
  is_open_[id] = false;
  rate_[id] = time_;
  add_use(id, -1);
  --open_;
}

void PathFilling::finish() {
  for (Index id = 0; id < key_.size(); ++id) amount_[key_[id]] = std::max(0.0, key_amount(id));
}

}  // namespace tutti::engines
