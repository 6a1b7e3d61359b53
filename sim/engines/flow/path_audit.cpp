// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/path_shares.hpp"

namespace tutti::engines {
namespace {

constexpr double audit_tolerance = 1e-9;

// Water-filling by its definition: repeatedly, all rates rise until the next link is full or the
// next class has reached its limit.
class FillingByDefinition {
 public:
  explicit FillingByDefinition(const PathProblem& problem)
      : problem_(problem),
        spare_(problem.capacity),
        is_open_(problem.columns.size(), true),
        rate_(problem.classes.size(), -1) {}

  std::vector<double> run() {
    while (std::find(rate_.begin(), rate_.end(), -1) != rate_.end()) {
      open_classes();
      const auto drift = drifts();
      const double step = longest_step(drift);
      time_ += step;
      for (std::size_t link = 0; link < spare_.size(); ++link) {
        spare_[link] -= step * drift[link];
        if (drift[link] > 0 && spare_[link] <= 1e-12 * problem_.capacity[link]) close(link);
      }
      for (std::size_t id = 0; id < rate_.size(); ++id)
        if (rate_[id] < 0 && time_ >= problem_.classes[id].limit * (1 - 1e-13)) rate_[id] = time_;
    }
    return rate_;
  }

 private:
  // The columns among which a class divides its next increment.
  std::pair<std::uint32_t, std::uint32_t> tier(std::size_t id) const {
    const auto& owner = problem_.classes[id];
    for (std::uint32_t column = owner.first_column; column < owner.end_preferred; ++column)
      if (is_open_[column]) return {owner.first_column, owner.end_preferred};
    return {owner.end_preferred, owner.end_column};
  }
  std::vector<std::uint32_t> open_columns(std::size_t id) const {
    std::vector<std::uint32_t> open;
    const auto [first, end] = tier(id);
    for (std::uint32_t column = first; column < end; ++column)
      if (is_open_[column]) open.push_back(column);
    return open;
  }
  void open_classes() {
    for (std::size_t id = 0; id < rate_.size(); ++id)
      if (rate_[id] < 0 && open_columns(id).empty()) rate_[id] = time_;
  }
  std::vector<double> drifts() const {
    std::vector<double> drift(spare_.size());
    for (std::size_t id = 0; id < rate_.size(); ++id) {
      if (rate_[id] >= 0) continue;
      const auto open = open_columns(id);
      for (const std::uint32_t column : open)
        for (const auto& use : problem_.uses_of(column))
          drift[use.link] +=
              problem_.classes[id].flows * use.weight / static_cast<double>(open.size());
    }
    return drift;
  }
  double longest_step(const std::vector<double>& drift) const {
    double step = no_limit;
    for (std::size_t link = 0; link < spare_.size(); ++link)
      if (drift[link] > 0) step = std::min(step, std::max(0.0, spare_[link]) / drift[link]);
    for (std::size_t id = 0; id < rate_.size(); ++id)
      if (rate_[id] < 0) step = std::min(step, problem_.classes[id].limit - time_);
    return step < no_limit ? std::max(0.0, step) : 0;
  }
  void close(std::size_t link) {
    for (std::uint32_t column = 0; column < problem_.columns.size(); ++column)
      for (const auto& use : problem_.uses_of(column))
        if (use.link == link) is_open_[column] = false;
  }

  const PathProblem& problem_;
  std::vector<double> spare_;
  std::vector<bool> is_open_;
  std::vector<double> rate_;  // -1: still rising
  double time_ = 0;
};

// Tests the prices that stop classes (path_filling.hpp).
class OptimumProof {
 public:
  OptimumProof(const PathProblem& problem, const PathFilling& optimum)
      : problem_(problem), optimum_(optimum), price_(problem.capacity.size()) {}

  std::string run() {
    if (const auto wrong = overload(); !wrong.empty()) return wrong;
    std::vector<bool> is_proven(problem_.classes.size());
    for (std::size_t id = 0; id < is_proven.size(); ++id)
      is_proven[id] = rate(id) >= problem_.classes[id].limit * (1 - audit_tolerance);
    for (const PathPrice& price : optimum_.prices())
      if (const auto wrong = test(price, is_proven); !wrong.empty()) return wrong;
    const auto open = std::find(is_proven.begin(), is_proven.end(), false);
    if (open == is_proven.end()) return "";
    return fmt::format("no price proves the rate of class {}", open - is_proven.begin());
  }

 private:
  double rate(std::size_t id) const { return optimum_.rate(static_cast<std::uint32_t>(id)); }

  std::string overload() const {
    std::vector<double> load(problem_.capacity.size());
    for (std::uint32_t column = 0; column < problem_.columns.size(); ++column)
      for (const auto& use : problem_.uses_of(column))
        load[use.link] += problem_.classes[problem_.columns[column].owner].flows * use.weight *
                          optimum_.amount(column);
    for (std::size_t link = 0; link < load.size(); ++link)
      if (load[link] > problem_.capacity[link] * (1 + audit_tolerance))
        return fmt::format("a link carries {} of {} B/s", load[link], problem_.capacity[link]);
    return "";
  }

  // The cheapest column of the class.
  double distance(std::size_t id) const {
    const auto& owner = problem_.classes[id];
    double least = no_limit;
    for (std::uint32_t column = owner.first_column; column < owner.end_column; ++column) {
      double sum = 0;
      for (const auto& use : problem_.uses_of(column)) sum += price_[use.link] * use.weight;
      least = std::min(least, sum);
    }
    return least;
  }

  std::string test(const PathPrice& price, std::vector<bool>& is_proven) {
    double supply = 0, demand = 0;
    for (const auto& [link, value] : price.links) {
      price_[link] = value;
      supply += value * problem_.capacity[link];
    }
    std::string wrong;
    for (std::size_t id = 0; id < is_proven.size(); ++id) {
      const double paid = problem_.classes[id].flows * rate(id) * distance(id);
      demand += paid;
      if (paid <= audit_tolerance * supply) continue;
      if (rate(id) > price.rate * (1 + audit_tolerance))
        wrong = fmt::format("class {} has a rate of {}, although it shares a price at {}", id,
                            rate(id), price.rate);
      if (rate(id) >= price.rate * (1 - audit_tolerance)) is_proven[id] = true;
    }
    for (const auto& use : price.links) price_[use.link] = 0;
    if (std::abs(supply - demand) > audit_tolerance * supply)
      return fmt::format("links have {} at a price, but classes use {}", supply, demand);
    return wrong;
  }

  const PathProblem& problem_;
  const PathFilling& optimum_;
  std::vector<double> price_;
};

}  // namespace

// The loads of the links are the sums over their classes.
std::string PathShares::wrong_load() const {
  std::unordered_map<LinkId, double> sum;
  for (ClassId id = 0; id < classes_.size(); ++id)
    for (const Crossing& crossing : classes_[id].crossings)
      if (classes_[id].flows > 0) sum[crossing.link] += crossing.load;
  for (const auto& [id, load] : sum) {
    const LinkState& link = links_[id];
    if (!(std::abs(link.load - load) <= audit_tolerance * link.capacity))
      return fmt::format("a link has a load of {}, but its flows are {}", link.load, load);
    if (!(load <= link.capacity * (1 + 2 * audit_tolerance)))
      return fmt::format("a link carries {} of {} B/s", load, link.capacity);
  }
  return "";
}

// Solves all classes together.
std::string PathShares::audit() {
  if (const auto wrong = wrong_load(); !wrong.empty()) return wrong;
  std::vector<ClassId> all;
  for (ClassId id = 0; id < classes_.size(); ++id)
    if (classes_[id].flows > 0) all.push_back(id);
  build_problem(all, true);
  std::vector<double> right;
  if (is_optimal_ && !has_failed_) {
    solve_problem(true);
    if (const auto wrong = OptimumProof(extended_, optimum_).run(); !wrong.empty()) return wrong;
    for (std::uint32_t number = 0; number < all.size(); ++number)
      right.push_back(solved_rate(number));
  } else {
    const PathProblem whole = problem_.without_trunks();
    right = FillingByDefinition(whole).run();
  }
  for (std::size_t number = 0; number < right.size(); ++number) {
    const double rate = classes_[all[number]].rate;
    if (!(std::abs(rate - right[number]) <= audit_tolerance * right[number]))
      return fmt::format("a flow has rate {}, but {} gives {}", rate,
                         is_optimal_ ? "the optimum" : "water-filling", right[number]);
  }
  return "";
}

}  // namespace tutti::engines
