// SPDX-License-Identifier: BSD-3-Clause
// Rates of flows that may be divided over several paths, updated as flows start and end.
//
// The trunk of a class consists of the links that all its columns use in full, for example its
// NICs. The fair shares of the trunks alone (FairShares) are the rates of all classes that no full
// link beyond a trunk affects: water-filling closes no column before the trunk, and no division can
// do better. The other classes are filled: their division is computed. A change is computed only
// for its region, the classes that full links connect with it. All other classes keep their loads;
// if one of their links becomes full, its classes join the region, and the filling is repeated.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/flow/fair_shares.hpp"
#include "sim/engines/flow/member_lists.hpp"
#include "sim/engines/flow/path_filling.hpp"
#include "sim/engines/flow/water_filling.hpp"

namespace tutti::engines {

// The columns of a class (path_problem.hpp), with the links of the job.
struct PathColumns {
  std::vector<PathProblem::Use> uses;  // column after column
  std::vector<std::size_t> ends;       // by column: its end in `uses`
  std::size_t preferred = 0;           // number of columns that are used first

  void clear() {
    uses.clear();
    ends.clear();
    preferred = 0;
  }
};

class PathShares {
 public:
  // `is_optimal`: PathFilling computes max-min fair rates; else WaterFilling approximates them.
  PathShares(std::size_t links, bool is_optimal)
      : is_optimal_(is_optimal), links_(links), trunks_(links, {.least = UINT32_MAX}) {}

  void set_capacity(LinkId link, double capacity_Bps) {
    links_[link].capacity = capacity_Bps;
    trunks_.set_capacity(link, capacity_Bps);
  }
  ClassId add(const PathColumns& columns, double limit_Bps);
  void remove(ClassId id);
  void set_flows(ClassId id, std::uint32_t flows);
  std::uint32_t flows(ClassId id) const { return classes_[id].flows; }
  bool is_solved() const { return touched_.empty(); }
  // Updates all rates. Returns the classes with flows whose rate or number of flows has changed,
  // valid until the next call.
  std::span<const ClassId> solve();
  double rate(ClassId id) const { return classes_[id].rate; }
  std::uint32_t class_count() const { return classes_.in_use(); }
  std::int64_t solves() const { return solves_; }
  // Number of classes that all solves together have filled.
  std::int64_t fillings() const { return fillings_; }
  // Whether an optimum was not found; then water-filling has computed all rates since.
  bool has_failed() const { return has_failed_; }
  // The rate of a single flow on an idle network. The class must not have had flows yet.
  double idle_rate(ClassId id);

 private:
  friend class PathSharesAudit;  // tests/support/share_audit.hpp
  static constexpr std::uint32_t none = UINT32_MAX;

  struct Crossing {
    LinkId link = 0;
    MemberLists::Place place = none;  // in the link's list; `none`: the class is not listed
    double load = 0;  // bandwidth of all flows of the class, included in the link's load
  };
  struct Class {
    std::vector<Crossing> crossings;  // its links, the trunk first
    std::vector<std::uint32_t> hops;  // indices in crossings, column after column
    std::vector<double> weights;      // by hop; empty: all are 1
    std::vector<std::uint32_t> ends;  // by column: its end in hops
    std::uint32_t trunk_links = 0;    // number of crossings of the trunk
    std::uint32_t preferred = 0;      // number of preferred columns
    double limit = no_limit;
    double rate = 0;
    std::uint32_t flows = 0;
    ClassId trunk = 0;          // its class in trunks_
    std::uint32_t visited = 0;  // the last round that gathered it
    bool is_touched = false;
    bool is_filled = false;   // false: it has the rate of its trunk
    bool is_removed = false;  // it is freed at the end of the next solve
    double weight(std::uint32_t hop) const { return weights.empty() ? 1 : weights[hop]; }
    std::uint32_t first_hop(std::size_t column) const { return column == 0 ? 0 : ends[column - 1]; }
  };
  struct LinkState {  // without initializers: ZeroArray sets all bytes to zero
    double capacity;
    double load;
    MemberLists::List members;  // classes that add to its load, and filled ones
    std::uint32_t users;        // number of classes that add to its load
    std::uint32_t filled;       // number of filled members
    std::uint32_t visited;      // the last round that gathered its members
    std::uint32_t number;       // its number in problem_, from 1; 0: it is not there
    bool is_full;               // it is saturated and has a filled member
  };

  // A link of columns that are being stored.
  struct StoredLink {
    LinkId link = 0;
    std::size_t column = SIZE_MAX;  // the last column that crosses it
    std::size_t hop = 0;            // its hop in that column
    std::size_t in_full = 0;        // number of columns that use it in full
  };

  void store(const PathColumns& columns, Class& owner);
  void store_crossings(std::span<const StoredLink> links, Class& owner);
  double most_rate(const Class& owner) const;
  void list(ClassId id, std::uint32_t columns);
  void unlist(Crossing& crossing);
  void set_filled(Class& owner, bool is_filled);
  template <class Amount>
  static void divide(Class& owner, Amount amount);
  static void divide_evenly(Class& owner, double sum);
  void put_loads(const Class& owner);
  void take_loads(Class& owner);
  void set_rate(ClassId id, double rate);
  void release(ClassId id);
  void follow_trunk(ClassId id);
  bool is_affected(const Class& owner, std::uint32_t number) const;
  void gather_affected();

  // path_regions.cpp
  void gather(ClassId id);
  void gather_members(LinkId link);
  void gather_connected();
  void gather_others(LinkId id);
  void fill_region();
  void forget_problem();
  void add_to_problem(const Class& owner, double flows, bool is_alone);
  void build_problem(std::span<const ClassId> classes, bool is_alone);
  void solve_problem(bool certify);
  void fill_optimally(bool certify);
  double water_part(std::uint32_t number, std::uint32_t column) const;
  double solved_rate(std::uint32_t number) const;
  double solved_amount(std::uint32_t number, std::uint32_t column) const;
  void divide_region();
  bool is_infeasible() const;
  bool becomes_full(LinkId id) const;
  bool is_uneven(std::uint32_t number) const;
  bool join_others();
  void find_filled();
  void leave(Class& owner);
  void settle();

  bool is_optimal_;
  ZeroArray<LinkState> links_;  // by LinkId
  runtime::Pool<Class> classes_;
  MemberLists lists_;
  std::vector<ClassId> touched_;
  std::vector<ClassId> changed_;
  std::vector<ClassId> moved_;  // classes whose trunk's rate or number of flows has changed
  FairShares trunks_;
  std::vector<ClassId> owner_of_trunk_;  // by class of trunks_

  std::uint32_t round_ = 0;
  std::vector<ClassId> region_;
  std::size_t connected_ = 0;      // number of classes of region_ whose links have been followed
  std::vector<ClassId> numbered_;  // classes of problem_, in order
  std::vector<LinkId> used_;       // links of problem_, in order
  std::vector<double> sum_;        // by link of problem_: load by classes of the region
  std::vector<ClassId> filled_;    // classes of the region that remain filled
  std::vector<PathProblem::Use> uses_;  // scratch memory
  std::vector<std::uint32_t> numbers_;  // scratch memory: a class's links in problem_
  PathProblem problem_;
  PathProblem extended_;  // optimal: each class has its division by water-filling as first column
  WaterFilling water_;
  PathFilling optimum_;
  bool has_failed_ = false;
  std::int64_t solves_ = 0;
  std::int64_t fillings_ = 0;
};

// Sets the load of each link of the class; amount(column) is the rate of all flows in the column.
template <class Amount>
void PathShares::divide(Class& owner, Amount amount) {
  for (Crossing& crossing : owner.crossings) crossing.load = 0;
  for (std::uint32_t column = 0; column < owner.ends.size(); ++column) {
    const double carried = amount(column);
    if (carried == 0) continue;
    for (auto hop = owner.first_hop(column); hop < owner.ends[column]; ++hop)
      owner.crossings[owner.hops[hop]].load += carried * owner.weight(hop);
  }
}

}  // namespace tutti::engines
