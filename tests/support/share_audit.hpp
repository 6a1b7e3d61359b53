// SPDX-License-Identifier: BSD-3-Clause
// Verification of rates for Job::audit and tests of shares: recomputes all classes from scratch by
// simple and slow algorithms.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/engines/flow/shares.hpp"

namespace tutti::engines {

constexpr double audit_tolerance = 1e-9;

struct AuditedClass {
  ClassId id = 0;
  double flows = 0;
  double limit = no_limit;
  std::vector<std::size_t> links;  // in AuditedNetwork::links
  double claimed = 0;
  double rate = 0;
  bool fixed = false;
};

struct AuditedLink {
  double capacity = 0;
  double taken = 0;  // capacity used by classes with a rate
  double open = 0;   // number of flows without a rate

  double level() const { return open > 0 ? std::max(0.0, capacity - taken) / open : no_limit; }
};

struct AuditedNetwork {
  std::vector<AuditedClass> classes;
  std::vector<AuditedLink> links;
};

inline AuditedNetwork copy_network(const FairShares& shares) {
  AuditedNetwork network;
  std::unordered_map<LinkId, std::size_t> number_of;
  shares.visit_classes([&](ClassId id, std::uint32_t flows, double limit,
                           const std::vector<LinkId>& links, double rate) {
    AuditedClass& copy = network.classes.emplace_back();
    copy.id = id;
    copy.flows = flows;
    copy.limit = limit;
    copy.claimed = rate;
    for (const LinkId link : links) {
      const auto [number, is_new] = number_of.try_emplace(link, network.links.size());
      if (is_new) network.links.push_back({.capacity = shares.capacity(link)});
      network.links[number->second].open += flows;
      copy.links.push_back(number->second);
    }
  });
  return network;
}

// The rate at which one of its links, or its limit, stops the class.
inline double ceiling(const AuditedClass& audited, const std::vector<AuditedLink>& links) {
  double least = audited.limit;
  for (const std::size_t link : audited.links) least = std::min(least, links[link].level());
  return least;
}

inline void fix(AuditedClass& stopped, double level, std::vector<AuditedLink>& links) {
  stopped.fixed = true;
  stopped.rate = level;
  for (const std::size_t link : stopped.links) {
    links[link].taken += stopped.flows * level;
    links[link].open -= stopped.flows;
  }
}

// Progressive filling by its definition: repeatedly, all open classes rise to the lowest ceiling,
// and those that it stops keep this rate.
inline void fill(AuditedNetwork& network) {
  std::vector<AuditedClass*> stopped;
  for (std::size_t left = network.classes.size(); left > 0; left -= stopped.size()) {
    double level = no_limit;
    for (const AuditedClass& audited : network.classes)
      if (!audited.fixed) level = std::min(level, ceiling(audited, network.links));
    stopped.clear();
    for (AuditedClass& audited : network.classes)
      if (!audited.fixed && ceiling(audited, network.links) <= level * (1 + 1e-13))
        stopped.push_back(&audited);
    for (AuditedClass* audited : stopped) fix(*audited, level, network.links);
  }
}

// Returns a sentence about the first class whose rate differs from the max-min fair allocation by a
// relative difference above `tolerance`; empty if all rates are right. Call after `solve`.
inline std::string audit(const FairShares& shares, double tolerance = audit_tolerance) {
  AuditedNetwork network = copy_network(shares);
  fill(network);
  for (const AuditedClass& audited : network.classes)
    if (std::abs(audited.claimed - audited.rate) > tolerance * audited.rate)
      return fmt::format("class {} of {} flows has rate {}, but the fair rate is {}", audited.id,
                         audited.flows, audited.claimed, audited.rate);
  return "";
}

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

// Recomputes the rates of PathShares by another method.
class PathSharesAudit {
 public:
  explicit PathSharesAudit(PathShares& shares) : shares_(shares) {}

  // Solves all classes together.
  std::string run() {
    if (const auto wrong = wrong_load(); !wrong.empty()) return wrong;
    std::vector<ClassId> all;
    for (ClassId id = 0; id < shares_.classes_.size(); ++id)
      if (shares_.classes_[id].flows > 0) all.push_back(id);
    shares_.build_problem(all, true);
    std::vector<double> right;
    if (shares_.is_optimal_ && !shares_.has_failed_) {
      shares_.solve_problem(true);
      if (const auto wrong = OptimumProof(shares_.extended_, shares_.optimum_).run();
          !wrong.empty())
        return wrong;
      for (std::uint32_t number = 0; number < all.size(); ++number)
        right.push_back(shares_.solved_rate(number));
    } else {
      const PathProblem whole = shares_.problem_.without_trunks();
      right = FillingByDefinition(whole).run();
    }
    for (std::size_t number = 0; number < right.size(); ++number) {
      const double rate = shares_.classes_[all[number]].rate;
      if (!(std::abs(rate - right[number]) <= audit_tolerance * right[number]))
        return fmt::format("a flow has rate {}, but {} gives {}", rate,
                           shares_.is_optimal_ ? "the optimum" : "water-filling", right[number]);
    }
    return "";
  }

 private:
  // The loads of the links are the sums over their classes.
  std::string wrong_load() const {
    std::unordered_map<LinkId, double> sum;
    for (ClassId id = 0; id < shares_.classes_.size(); ++id)
      for (const PathShares::Crossing& crossing : shares_.classes_[id].crossings)
        if (shares_.classes_[id].flows > 0) sum[crossing.link] += crossing.load;
    for (const auto& [id, load] : sum) {
      const PathShares::LinkState& link = shares_.links_[id];
      if (!(std::abs(link.load - load) <= audit_tolerance * link.capacity))
        return fmt::format("a link has a load of {}, but its flows are {}", link.load, load);
      if (!(load <= link.capacity * (1 + 2 * audit_tolerance)))
        return fmt::format("a link carries {} of {} B/s", load, link.capacity);
    }
    return "";
  }

  PathShares& shares_;
};

// Returns a description of the first wrong rate; empty if all are right.
inline std::string audit(PathShares& shares) { return PathSharesAudit(shares).run(); }
// The same, for Job::audit.
inline std::string audit_shares(Shares& shares) {
  return shares.paths() != nullptr ? audit(*shares.paths()) : audit(shares.fair());
}

}  // namespace tutti::engines
