// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/path_filling.hpp"

#include "sim/base/random.hpp"

namespace tutti::engines {
namespace {

constexpr double perturbation = 1e-11;    // of a capacity, so that links are not full at once
constexpr double spare_rounding = 1e-14;  // of a capacity
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
    if (basis_.columns.empty()) freeze_full_links();
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
  links_.capacity.resize(capacity.size());
  for (Index link = 0; link < capacity.size(); ++link)
    links_.capacity[link] = capacity[link] * (1 - perturbation * random_uniform(0, 0, link));
  const auto& columns = problem_->columns;
  const auto& classes = problem_->classes;
  time_ = 0;
  is_stuck_ = false;
  open_ = static_cast<Index>(classes.size());
  rate_.assign(classes.size(), 0);
  amount_.assign(columns.size(), 0);
  is_open_.assign(classes.size(), true);
  basis_.position.assign(columns.size(), none);
  for (auto* values : {&links_.load, &links_.key_drift, &links_.reference, &links_.price})
    values->assign(capacity.size(), 0);
  basis_.row_of.assign(capacity.size(), none);
  visited_.assign(classes.size(), 0);
  search_ = 0;
  rebuilt_ = pivots_;
  basis_.columns.clear();
  basis_.rows.clear();
  priced_.clear();
  prices_.clear();
  full_.clear();
  basis_.inverse.clear();
  if (users_.size() < capacity.size()) users_.resize(capacity.size());
  for (auto& classes_of_link : users_) classes_of_link.clear();
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
    links_.key_drift[use.link] += flows * use.weight;
    if (flows > 0) links_.reference[use.link] += flows * use.weight;
  }
}

// Computes inverse, amounts and loads anew, so that rounding errors do not accumulate.
void PathFilling::rebuild() {
  rebuilt_ = pivots_;
  const std::size_t size = basis_.columns.size();
  std::vector<double> matrix(size * size);
  for (std::size_t k = 0; k < size; ++k) {
    matrix_column(basis_.columns[k], scratch_.values);
    for (std::size_t row = 0; row < size; ++row) matrix[row * size + k] = scratch_.values[row];
  }
  basis_.inverse.set(size, std::move(matrix));
  links_.load.assign(problem_->capacity.size(), 0);
  for (Index id = 0; id < key_.size(); ++id) add_load(key_[id], rate_now(id));
  scratch_.values.clear();
  for (const Index link : basis_.rows)
    scratch_.values.push_back(links_.capacity[link] - links_.load[link]);
  basis_.inverse.times(scratch_.values, scratch_.products);
  for (std::size_t i = 0; i < size; ++i) {
    amount_[basis_.columns[i]] = std::max(0.0, scratch_.products[i]);
    add_load(basis_.columns[i], scratch_.products[i]);
    add_load(key_of(basis_.columns[i]), -scratch_.products[i]);
  }
}

void PathFilling::add_load(Index column, double amount) {
  const double flow = flows_of(column) * amount;
  for (const auto& use : uses(column)) links_.load[use.link] += flow * use.weight;
}

// Without columns but the keys, the loads rise as those of the keys, and a link that is full can
// only block its classes.
void PathFilling::freeze_full_links() {
  for (const Index link : std::exchange(full_, {})) {
    if (!basis_.columns.empty()) return;
    if (links_.key_drift[link] > least_relative * links_.reference[link]) leave_link(link);
  }
}

void PathFilling::find_direction() {
  links_.drift = links_.key_drift;
  links_.gross = links_.reference;
  basis_.direction.clear();
  if (basis_.columns.empty()) return;
  scratch_.values.clear();
  for (const Index link : basis_.rows) scratch_.values.push_back(-links_.key_drift[link]);
  basis_.inverse.times(scratch_.values, basis_.direction);
  for (std::size_t i = 0; i < basis_.columns.size(); ++i) {
    if (std::abs(basis_.direction[i]) < least_relative) basis_.direction[i] = 0;
    const double flows = flows_of(basis_.columns[i]) * basis_.direction[i];
    for (const auto& use : uses(basis_.columns[i])) {
      links_.drift[use.link] += flows * use.weight;
      links_.gross[use.link] += std::abs(flows * use.weight);
    }
    for (const auto& use : uses(key_of(basis_.columns[i]))) {
      links_.drift[use.link] -= flows * use.weight;
      links_.gross[use.link] += std::abs(flows * use.weight);
    }
  }
  for (const Index link : basis_.rows) links_.drift[link] = 0;
}

double PathFilling::key_amount(Index id) const {
  const auto& owner = problem_->classes[id];
  double left = rate_now(id);
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (basis_.position[column] != none) left -= amount_[column];
  return left;
}

double PathFilling::key_drift(Index id) const {
  const auto& owner = problem_->classes[id];
  double left = is_open_[id] ? 1 : 0;
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (basis_.position[column] != none) left -= basis_.direction[basis_.position[column]];
  return left;
}

PathFilling::Step PathFilling::longest_step() {
  Step step;
  const auto& capacity = links_.capacity;
  for (Index link = 0; link < capacity.size(); ++link) {
    if (links_.drift[link] <= least_relative * links_.gross[link]) continue;
    double spare = capacity[link] - links_.load[link];
    if (spare <= spare_rounding * capacity[link]) spare = 0;
    const double length = spare / links_.drift[link];
    if (length < step.length) step = {.length = length, .link = link};
  }
  const double scale = spare_rounding * std::max(time_, 1e-300);
  const auto consider = [&](double amount, double drift, Index column) {
    if (drift >= -least_relative) return;
    const double length = amount <= scale ? 0 : amount / -drift;
    if (length < step.length) step = {.length = length, .column = column};
  };
  for (std::size_t i = 0; i < basis_.columns.size(); ++i) {
    consider(amount_[basis_.columns[i]], basis_.direction[i], basis_.columns[i]);
    const Index id = problem_->columns[basis_.columns[i]].owner;
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
  const auto& capacity = links_.capacity;
  time_ += length;
  for (std::size_t i = 0; i < basis_.columns.size(); ++i)
    amount_[basis_.columns[i]] =
        std::max(0.0, amount_[basis_.columns[i]] + length * basis_.direction[i]);
  for (Index link = 0; link < capacity.size(); ++link) {
    if (links_.drift[link] == 0) continue;
    links_.load[link] += length * links_.drift[link];
    if (links_.drift[link] > 0 &&
        capacity[link] - links_.load[link] <= spare_rounding * capacity[link])
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
  links_.price[link] = price;
  priced_.push_back(link);
}

void PathFilling::clear_prices() {
  for (const Index link : priced_) links_.price[link] = 0;
  priced_.clear();
}

double PathFilling::price_of(Index column) const {
  double sum = 0;
  for (const auto& use : uses(column)) sum += links_.price[use.link] * use.weight;
  return sum;
}

double PathFilling::weight_on(Index column, Index link) const {
  for (const auto& use : uses(column))
    if (use.link == link) return use.weight;
  return 0;
}

void PathFilling::matrix_column(Index column, std::vector<double>& values) {
  values.assign(basis_.rows.size(), 0);
  const double flows = flows_of(column);
  for (const auto& use : uses(column))
    if (basis_.row_of[use.link] != none) values[basis_.row_of[use.link]] += flows * use.weight;
  for (const auto& use : uses(key_of(column)))
    if (basis_.row_of[use.link] != none) values[basis_.row_of[use.link]] -= flows * use.weight;
}

void PathFilling::matrix_row(Index link, std::vector<double>& values) {
  values.clear();
  for (const Index column : basis_.columns)
    values.push_back(flows_of(column) *
                     (weight_on(column, link) - weight_on(key_of(column), link)));
}

void PathFilling::leave_link(Index link) {
  matrix_row(link, scratch_.values);
  basis_.inverse.left_times(scratch_.values, scratch_.products);
  clear_prices();
  set_price(link, 1);
  Index least = none;
  for (Index row = 0; row < basis_.rows.size(); ++row) {
    double price = -scratch_.products[row];
    if (std::abs(price) < least_relative) price = 0;
    set_price(basis_.rows[row], price);
    if (price < 0 && (least == none || price < -scratch_.products[least])) least = row;
  }
  if (least != none) {
    basis_.inverse.replace_row(least, scratch_.values);
    basis_.row_of[basis_.rows[least]] = none;
    basis_.rows[least] = link;
    basis_.row_of[link] = least;
    return;
  }
  const Index column = cheapest_column();
  if (column == none) return block();
  std::vector<double> entering;
  matrix_column(column, entering);
  const double corner =
      flows_of(column) * (weight_on(column, link) - weight_on(key_of(column), link));
  basis_.inverse.grow(scratch_.values, entering, corner);
  basis_.position[column] = static_cast<Index>(basis_.columns.size());
  amount_[column] = 0;
  basis_.columns.push_back(column);
  basis_.row_of[link] = static_cast<Index>(basis_.rows.size());
  basis_.rows.push_back(link);
}

// A class gets another key: the basic column that carries most. Returns the position of the old
// one.
PathFilling::Index PathFilling::swap_key(Index id) {
  const auto& owner = problem_->classes[id];
  Index largest = none;
  scratch_.same.clear();
  const double amount = std::max(0.0, key_amount(id));
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (basis_.position[column] != none && (largest == none || amount_[column] > amount_[largest]))
      largest = column;
  TUTTI_CHECK(largest != none, "a key without an alternative cannot leave");
  for (Index column = owner.first_column; column < owner.end_column; ++column)
    if (basis_.position[column] != none && column != largest)
      scratch_.same.push_back(basis_.position[column]);
  const Index place = basis_.position[largest];
  basis_.inverse.exchange_key(place, scratch_.same);
  if (is_open_[id]) add_use(id, -1);
  basis_.columns[place] = key_[id];
  basis_.position[key_[id]] = place;
  amount_[key_[id]] = amount;
  basis_.position[largest] = none;
  key_[id] = largest;
  if (is_open_[id]) add_use(id, 1);
  for (const auto& use : uses(largest)) users_[use.link].push_back(id);
  return place;
}

void PathFilling::leave_column(Index column) {
  const Index id = problem_->columns[column].owner;
  const Index place = key_[id] == column ? swap_key(id) : basis_.position[column];
  clear_prices();
  Index least = none;
  double largest = 0;
  const auto prices = basis_.inverse.row(place);
  for (const double price : prices) largest = std::max(largest, std::abs(price));
  for (Index row = 0; row < basis_.rows.size(); ++row) {
    const double price = std::abs(prices[row]) < least_relative * largest ? 0 : prices[row];
    set_price(basis_.rows[row], price);
    if (price < 0 && (least == none || price < prices[least])) least = row;
  }
  amount_[column] = 0;
  if (least != none) {
    basis_.inverse.shrink(least, place);
    basis_.row_of[basis_.rows[least]] = none;
    if (least + 1 != basis_.rows.size())
      basis_.row_of[basis_.rows[least] = basis_.rows.back()] = least;
    basis_.rows.pop_back();
    basis_.position[column] = none;
    if (place + 1 != basis_.columns.size())
      basis_.position[basis_.columns[place] = basis_.columns.back()] = place;
    basis_.columns.pop_back();
    return;
  }
  const Index entering = cheapest_column();
  if (entering == none) return block();
  matrix_column(entering, scratch_.values);
  basis_.inverse.replace_column(place, scratch_.values);
  basis_.position[column] = none;
  basis_.position[entering] = place;
  amount_[entering] = 0;
  basis_.columns[place] = entering;
}

// The column whose price is furthest below that of its class's key; none if there is no such
// column. Prices are not negative, so only keys that cross priced links are compared.
PathFilling::Index PathFilling::cheapest_column() {
  Index cheapest = none;
  double least = 0;
  ++search_;
  for (const Index link : priced_)
    for (const Index id : users_[link]) {
      if (std::exchange(visited_[id], search_) == search_) continue;
      const auto& owner = problem_->classes[id];
      const double key = price_of(key_[id]);
      for (Index column = owner.first_column; column < owner.end_column; ++column) {
        if (column == key_[id] || basis_.position[column] != none) continue;
        const double gain = owner.flows * (price_of(column) - key);
        if (gain >= -least_relative * owner.flows * key) continue;
        const bool is_better = idle_steps_ > most_idle_steps ? column < cheapest : gain < least;
        if (cheapest != none && !is_better) continue;
        cheapest = column;
        least = gain;
      }
    }
  return cheapest;
}

void PathFilling::block() {
  double largest = 0;
  ++search_;
  scratch_.same.clear();
  for (const Index link : priced_)
    for (const Index id : users_[link]) {
      if (std::exchange(visited_[id], search_) == search_ || !is_open_[id]) continue;
      const double price = price_of(key_[id]);
      largest = std::max(largest, price);
      if (price > 0) scratch_.same.push_back(id);
    }
  is_stuck_ = scratch_.same.empty();  // a full link that no open class crosses, by rounding
  for (const Index id : scratch_.same)
    if (price_of(key_[id]) > least_relative * largest) freeze(id);
  if (!certify_) return;
  PathPrice& price = prices_.emplace_back();
  price.rate = time_;
  for (const Index link : priced_) price.links.push_back({link, links_.price[link]});
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
