// SPDX-License-Identifier: BSD-3-Clause
// Max-min fair rates of flows over shared links, updated as flows start and end.
//
// Flows over the same links with the same limit form a class: one variable of weight n, whose rate
// each of its flows gets. The allocation is max-min fair if it is feasible and every class has a
// bottleneck: its own limit, or a saturated link on which no class has a higher rate (Bertsekas,
// Gallager, Data Networks, 6.5.2). A change is solved only where it has an effect: touched classes
// that meet on links are refilled, while the rates of all others are fixed. Then the condition is
// tested for every class on every link of those. A class that violates it is added, and the filling
// is repeated. So the committed allocation satisfies the condition, and it is unique. Hundreds of
// classes over the same full links form a bundle, which is one variable (flow_bundle.hpp).
#pragma once

#include <map>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/flow/flow_bundle.hpp"
#include "sim/engines/flow/member_lists.hpp"
#include "sim/engines/flow/zero_array.hpp"
#include "sim/runtime/pool.hpp"
#include "sim/runtime/radix_queue.hpp"

namespace tutti::engines {

// The queue of a filling: links by the level at which they become saturated. Most fillings visit
// only a few links; those that visit thousands find many at the same level.

class LevelQueue {
 public:
  struct Entry {
    double level = 0;
    std::uint32_t subject = 0;
  };

  // Empties the queue; at most `size` entries will be pushed before the first pop.
  void reset(std::size_t size) {
    is_small_ = size <= small;
    few_.clear();
    many_.clear();
  }
  bool empty() const { return is_small_ ? few_.empty() : many_.empty(); }
  void push(double level, std::uint32_t subject) {
    if (is_small_)
      few_.push_back({level, subject});
    else
      many_.push(level, subject);
  }
  Entry pop() {
    if (!is_small_) {
      const double level = many_.next_key();
      return {level, many_.pop()};
    }
    const auto least = std::min_element(
        few_.begin(), few_.end(), [](const Entry& a, const Entry& b) { return a.level < b.level; });
    const Entry popped = *least;
    *least = few_.back();
    few_.pop_back();
    return popped;
  }

 private:
  static constexpr std::size_t small = 48;
  bool is_small_ = true;
  std::vector<Entry> few_;
  runtime::RadixQueue<std::uint32_t> many_;
};

using platforms::LinkId;
using ClassId = std::uint32_t;
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

class FairShares {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  // `dense`: most links will be used.
  explicit FairShares(std::size_t links, BundleRules rules = {}, bool dense = false)
      : rules_(rules), links_(links, dense), fillings_(links) {}

  // Makes the link valid. Must not be called during a solve.
  void make_room(LinkId link) {
    if (link < links_.size()) return;
    links_.grow(2 * std::size_t{link} + 64);
    fillings_.grow(links_.size());
  }
  // Must be called before the first class uses the link, except for links that `capacity_of` knows.
  // `capacity_Bps` must be above 0.
  void set_capacity(LinkId link, double capacity_Bps) { links_[link].capacity_Bps = capacity_Bps; }
  // `capacity_of` is called when the first flow uses a link without a capacity.
  void find_capacities(std::function<double(LinkId)> capacity_of) {
    capacity_of_ = std::move(capacity_of);
  }
  double capacity(LinkId link) const { return links_[link].capacity_Bps; }  // 0: not set yet
  // Whether at most 1e-9 of the link's capacity is left.
  bool is_full(LinkId link) const {
    return links_[link].taken >= links_[link].capacity_Bps * (1 - 1e-9);
  }

  // Adds a class without flows. A link that occurs twice is used twice. Without links, it needs a
  // limit.
  ClassId add(std::span<const LinkId> links, double limit_Bps);
  // The class must not have flows.
  void remove(ClassId id);
  // Sets the number of flows of the class, which takes effect at the next `solve`.
  void set_flows(ClassId id, std::uint32_t flows);
  std::uint32_t flows(ClassId id) const { return classes_[id].flows; }
  // Prefetches data for set_flows() some calls later.
  void prefetch(ClassId id) const {
    __builtin_prefetch(&classes_[id], 1);
    __builtin_prefetch(marks_.data() + id, 1);
  }

  bool is_solved() const { return touched_.empty(); }
  // Valid until the next call. A class that leaves a bundle, for another one or for a rate of its
  // own, is in `left` and in `classes`. Classes may occur twice.
  struct Changes {
    struct Left {
      ClassId id = 0;
      FlowBundleId bundle = 0;  // of which it may have been a member since this solve only
    };
    std::span<const Left> left;
    std::span<const FlowBundleId> dissolved;  // without members
    std::span<const ClassId> classes;  // with flows: changed rate or number of flows, or new member
    std::span<const FlowBundleId> bundles;  // changed level; their members are not in `classes`
  };
  Changes solve();
  // The rate of each flow of the class.
  double rate(ClassId id) const {
    const Class& each = classes_[id];
    return is_member(each) ? bundles_[each.bundle].level : each.rate;
  }
  // The bundle of the class; none if it is not in a bundle.
  FlowBundleId bundle(ClassId id) const { return classes_[id].bundle; }
  double level(FlowBundleId id) const { return bundles_[id].level; }

  std::uint32_t class_count() const { return classes_.in_use(); }
  std::int64_t solves() const { return solves_; }
  // Number of times that a solve has looked for classes on a link of a changed class.
  std::int64_t looks() const { return looks_; }
  std::uint32_t bundle_count() const { return bundles_.in_use(); }

  // For the audit: calls visit(ClassId, flows, limit, links, rate) for every class that has flows.
  template <class Visit>
  void visit_classes(Visit visit) const;

 private:
  enum class State : std::uint8_t {
    settled,  // its rate is fixed
    open,     // it is being filled
    filled    // it has its new rate
  };
  struct alignas(64) Class {
    double rate = 0;  // of a member: reservation per flow on links other than the bundle's
    double new_rate = 0;
    double limit = no_limit;
    double own_limit = 0;  // while filling: minimum of `limit` and links that only it uses
    std::uint32_t flows = 0;
    std::uint32_t counted = 0;      // number of flows whose `rate` its links include in `taken`
    std::uint32_t first_entry = 0;  // index of its entries, one per link
    LinkId new_bottleneck = none;   // while it is open: the link of own_limit
    std::uint32_t entry_count = 0;
    FlowBundleId bundle = none;    // of which it is a member, or the variable
    MemberLists::Place place = 0;  // of a member: in the bundle's list
    bool is_variable = false;      // it represents all members of its bundle
    bool listed = false;           // it is in the lists of its links
    bool in_use = false;
  };
  // The data of a class that are needed for all classes of a link. Thousands of them fit into a
  // cache.
  struct Mark {
    LinkId bottleneck = none;  // none: its limit
    State state = State::settled;
    bool touched = false;  // by set_flows since the last solve
  };
  // Rates are equal within the rounding error of sums over thousands of classes.
  static bool exceeds(double rate, double other) { return rate > other * (1 + 1e-12); }

  // A class on a link.
  struct Entry {
    LinkId link;
    MemberLists::Place place;  // in the link's list
  };
  // The relation between a link and bundles.
  enum class Bundling : std::uint32_t {
    none,   // no relation to a single bundle
    joint,  // it is a link of bundles: their variables cross it, not their members
    sole    // only members of one bundle cross it
  };
  struct alignas(32) LinkState {
    double capacity_Bps;
    double taken;              // capacity used by the classes in its list
    MemberLists::List list;    // its classes
    std::uint32_t classes;     // number of classes in its list
    std::uint32_t held;        // number of settled classes whose bottleneck it is
    FlowBundleId bundle : 30;  // if bundling is `sole`; if it is `joint`, the number of bundles
    Bundling bundling : 2;
  };
  // What solves note about a link of several classes.
  struct alignas(32) LinkFilling {
    double spare;                      // capacity left by classes with a rate
    double most;                       // highest rate of a refilled class on it
    std::uint32_t round;               // the filling for which these values are valid
    std::uint32_t open_flows;          // number of flows without a rate
    std::uint32_t refilled : 31;       // number of classes that are being refilled
    std::uint32_t holds_refilled : 1;  // it is the new bottleneck of a refilled class
    std::uint32_t gathered;            // the last solve that gathered its classes
  };

  std::span<Entry> entries(const Class& owner) {
    return {entries_.data() + owner.first_entry, owner.entry_count};
  }
  std::span<const Entry> entries(const Class& owner) const {
    return {entries_.data() + owner.first_entry, owner.entry_count};
  }
  std::uint32_t take_entries(std::size_t count);
  static bool is_member(const Class& each) { return each.bundle != none && !each.is_variable; }
  void list(ClassId id);
  void look_up_capacity(LinkId id);
  void unlist(ClassId id);
  void leave(ClassId id);
  template <class Visit>
  void visit_link(const LinkState& link, Visit visit) {
    lists_.visit(link.list, visit);
  }

  void prefetch(const std::vector<ClassId>& ids, std::size_t i) const;
  void prefetch_filling(const std::vector<ClassId>& ids, std::size_t i) const;
  void list_touched();
  void drop_empty_variables();
  void solve_touched();
  bool fill_alone(ClassId id);
  void note_changed(ClassId id);
  void refill(ClassId id);
  void gather(LinkId id);
  void gather_around_refilled();
  bool solve_refilled();
  LinkFilling& look_at(LinkId id);
  void look_at_links_of(Class& refilled);
  void hold(ClassId id, LinkId bottleneck);
  void take(Class& taker, std::uint32_t flows, double rate);
  void fill();
  void fill_link(LinkId id, double level);
  void settle_rate(ClassId id, double rate, LinkId bottleneck);
  bool extend();
  void extend_on(LinkId id);
  void commit();

  // fair_shares_bundles.cpp
  void mark_guest(LinkState& link, ClassId id, FlowBundleId bundle);
  std::span<const LinkId> joint_links(ClassId id);
  bool join(ClassId id);
  void enter(ClassId id, FlowBundleId bundle);
  void count(Class& member);
  void quit(ClassId id);
  void eject(ClassId id);
  bool is_crowded(const Class& member, LinkId id) const;
  bool find_crowded(const Class& member);
  void serve_members();
  void reserve(FlowBundleId id);
  bool contend_for_crowded();
  void contend(LinkId id);
  void regroup(std::span<const ClassId> movers);
  void list_alone(ClassId id);
  void settle_bundles();
  void settle(FlowBundleId id);
  FlowBundleId make(std::span<const LinkId> links, double level);
  void dissolve(FlowBundleId id);
  void retire(FlowBundleId id);
  void free_retired();
  bool may_form(LinkId id) const;
  bool form(LinkId id);
  void form_bundles();
  void wait_longer();
  void touch(FlowBundleId id);
  void touch_variable(const FlowBundle& bundle);
  std::uint32_t fewest_members() const { return std::max(2u, rules_.least / 8); }

  BundleRules rules_;
  std::function<double(LinkId)> capacity_of_;
  ZeroArray<LinkState> links_;
  ZeroArray<LinkFilling> fillings_;  // by link
  runtime::Pool<Class> classes_;
  LargeVector<Mark> marks_;  // by ClassId
  MemberLists lists_;
  LargeVector<Entry> entries_;
  std::vector<std::vector<std::uint32_t>> free_entries_;  // by their count
  std::vector<ClassId> touched_;
  std::vector<ClassId> refilled_;
  std::size_t gathered_ = 0;    // number of refilled classes around which links were gathered
  std::vector<LinkId> felt_;    // links that lost a class and are the bottleneck of others
  std::vector<LinkId> looked_;  // links of the filling that several classes share
  std::vector<ClassId> changed_;
  runtime::Pool<FlowBundle> bundles_;
  std::map<std::vector<LinkId>, FlowBundleId> bundle_of_;  // by their links
  std::vector<FlowBundleId> touched_bundles_;
  std::vector<FlowBundleId> changed_bundles_;
  std::vector<FlowBundleId> dissolved_;  // freed after the solve
  std::vector<Changes::Left> left_;
  std::vector<LinkId> crowded_;     // links that may be the bottleneck of members
  std::vector<LinkId> full_;        // links with many classes, saturated by this filling
  std::vector<LinkId> candidates_;  // links whose classes may form bundles
  std::vector<ClassId> members_;    // scratch memory
  std::vector<LinkId> key_;         // scratch memory of joint_links()
  std::uint32_t wait_ = 0;          // opportunities to skip after the next useless bundle
  std::uint32_t waiting_ = 0;       // opportunities still to skip
  LevelQueue levels_;  // links by level and, with the bit `is_class`, classes by own limit
  static constexpr std::uint32_t is_class = std::uint32_t{1} << 31;
  std::size_t open_classes_ = 0;
  std::size_t filled_classes_ = 0;  // by all fillings of the solve
  std::uint32_t round_ = 0;         // number of the filling
  std::int64_t solves_ = 0;
  std::int64_t looks_ = 0;
};

template <class Visit>
void FairShares::visit_classes(Visit visit) const {
  std::vector<LinkId> links;
  for (ClassId id = 0; id < classes_.size(); ++id) {
    const Class& each = classes_[id];
    if (!each.in_use || each.flows == 0 || each.is_variable) continue;
    links.clear();
    for (std::uint32_t i = 0; i < each.entry_count; ++i)
      links.push_back(entries_[each.first_entry + i].link);
    visit(id, each.flows, each.limit, links, rate(id));
  }
}

}  // namespace tutti::engines
