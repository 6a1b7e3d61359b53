// SPDX-License-Identifier: BSD-3-Clause
// Rates of flows that may be divided over several paths, updated as flows start and end.
//
// The links that all columns of a class share are its trunk, for example its NICs. If every class
// divides its fair share of the trunks (FairShares) evenly over its preferred columns, and that
// overloads no other link, these are the rates of every routing: water-filling closes no column
// before the trunk, and no division can do better. Such a change costs as much as the classes that
// it affects. Otherwise all rates are computed, in proportion to the number of columns and links in
// use.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/flow/fair_shares.hpp"
#include "sim/engines/flow/path_filling.hpp"
#include "sim/engines/flow/water_filling.hpp"

namespace tutti::engines {

// The columns of a class (path_problem.hpp), with the links of the job.
struct PathColumns {
  std::vector<PathProblem::Use> uses;  // of all columns, one after the other
  std::vector<std::size_t> ends;       // of each column, in `uses`
  std::size_t preferred = 0;           // number of columns that are used first

  void clear() {
    uses.clear();
    ends.clear();
    preferred = 0;
  }
};

class PathShares {
 public:
  // `is_optimal`: max-min fair rates (PathFilling), else by water-filling. With `certify`, prices
  // that prove the optimum are kept for the audit.
  PathShares(std::size_t links, bool is_optimal, bool certify)
      : is_optimal_(is_optimal),
        certify_(certify),
        capacity_(links),
        local_(links, none),
        trunks_(links, {.least = UINT32_MAX}),
        fabric_(links) {}

  void set_capacity(LinkId link, double capacity_Bps) {
    capacity_[link] = capacity_Bps;
    trunks_.set_capacity(link, capacity_Bps);
  }
  ClassId add(const PathColumns& columns, double limit_Bps);
  void remove(ClassId id);
  void set_flows(ClassId id, std::uint32_t flows);
  std::uint32_t flows(ClassId id) const { return classes_[id].flows; }
  bool is_solved() const { return touched_.empty(); }
  // Returns the classes with flows whose rate or number of flows has changed. Valid until the next
  // call.
  std::span<const ClassId> solve();
  double rate(ClassId id) const { return classes_[id].rate; }
  std::uint32_t class_count() const { return classes_.in_use(); }
  std::int64_t solves() const { return solves_; }
  // Number of solves in which links beyond the trunks were overloaded.
  std::int64_t full_solves() const { return full_solves_; }
  // Whether an optimum was not found: the rates since then are those of water-filling.
  bool has_failed() const { return has_failed_; }
  // The rate of a single flow on an idle network.
  double idle_rate(const PathColumns& columns, double limit_Bps);

  // Recomputes all rates by another method. Returns a description of the first wrong rate; empty if
  // all are right.
  std::string audit();

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Class {
    PathColumns columns;
    double limit = no_limit;
    double rate = 0;
    std::uint32_t flows = 0;
    std::uint32_t place = none;  // in active_
    bool is_touched = false;
    ClassId trunk = 0;                     // its class in trunks_
    std::vector<PathProblem::Use> even{};  // links if preferred columns carry equal parts
    double spread = 0;                     // rate of all flows that fabric_ includes
  };
  struct FabricLink {
    double load = 0;
    std::uint32_t users = 0;  // classes with a spread
    bool is_overloaded = false;
  };

  void add_to_problem(const Class& each, double flows);
  void forget_problem();
  void build();
  void fill_optimally();
  void find_trunk(const PathColumns& columns, std::vector<LinkId>& trunk, Class& each);
  double most_rate(const PathColumns& columns) const;
  void spread(Class& each, double rate);
  void take_trunk_rates();
  void fill_all();
  void set_rate(ClassId id, double rate);
  double filled_rate(std::uint32_t number) const {
    return is_optimal_ && !has_failed_ ? optimum_.rate(number) : water_.rate(number);
  }

  bool is_optimal_;
  bool certify_;
  std::vector<double> capacity_;      // by LinkId
  std::vector<std::uint32_t> local_;  // by LinkId: its number in problem_
  std::vector<LinkId> used_;          // by number in problem_
  runtime::Pool<Class> classes_;
  std::vector<ClassId> active_;  // those with flows
  std::vector<ClassId> touched_;
  std::vector<ClassId> changed_;
  std::vector<ClassId> moved_;          // classes whose trunk has another rate
  std::vector<PathProblem::Use> uses_;  // scratch memory
  PathProblem problem_;                 // of the active classes, in order
  PathProblem extended_;  // optimal: each class has its division by water-filling as first column
  WaterFilling water_;
  PathFilling optimum_;
  FairShares trunks_;
  std::vector<ClassId> owner_of_trunk_;  // by class of trunks_
  std::vector<FabricLink> fabric_;       // by LinkId
  std::uint32_t overloaded_ = 0;         // number of overloaded links
  bool was_full_ = false;                // the last solve was
  bool has_failed_ = false;
  std::int64_t solves_ = 0;
  std::int64_t full_solves_ = 0;
};

// The rates of a job's flows: FairShares, or PathShares if the routing may divide flows.
class Shares {
 public:
  Shares(std::size_t links, BundleRules rules) : fair_(links, rules) {}
  void divide(std::size_t links, bool is_optimal, bool certify) {
    paths_ = std::make_unique<PathShares>(links, is_optimal, certify);
  }
  PathShares* paths() { return paths_.get(); }
  const PathShares* paths() const { return paths_.get(); }
  FairShares& fair() { return fair_; }
  const FairShares& fair() const { return fair_; }

  void set_capacity(LinkId link, double capacity_Bps) {
    return paths_ ? paths_->set_capacity(link, capacity_Bps)
                  : fair_.set_capacity(link, capacity_Bps);
  }
  void remove(ClassId id) { return paths_ ? paths_->remove(id) : fair_.remove(id); }
  void set_flows(ClassId id, std::uint32_t flows) {
    return paths_ ? paths_->set_flows(id, flows) : fair_.set_flows(id, flows);
  }
  std::uint32_t flows(ClassId id) const { return paths_ ? paths_->flows(id) : fair_.flows(id); }
  bool is_solved() const { return paths_ ? paths_->is_solved() : fair_.is_solved(); }
  FairShares::Changes solve() {
    if (!paths_) return fair_.solve();
    return {.dissolved = {}, .classes = paths_->solve(), .bundles = {}};
  }
  double rate(ClassId id) const { return paths_ ? paths_->rate(id) : fair_.rate(id); }
  FlowBundleId bundle(ClassId id) const { return paths_ ? FairShares::none : fair_.bundle(id); }
  double level(FlowBundleId id) const { return fair_.level(id); }
  std::uint32_t class_count() const { return paths_ ? paths_->class_count() : fair_.class_count(); }
  std::int64_t solves() const { return paths_ ? paths_->solves() : fair_.solves(); }

 private:
  FairShares fair_;
  std::unique_ptr<PathShares> paths_;
};

}  // namespace tutti::engines
