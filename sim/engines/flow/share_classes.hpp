// SPDX-License-Identifier: BSD-3-Clause
// The classes and links of FairShares (fair_shares.hpp has the glossary): which classes cross which
// links, their rates, and the capacity that they use.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/flow/flow_bundle.hpp"
#include "sim/engines/flow/member_lists.hpp"
#include "sim/engines/flow/zero_array.hpp"
#include "sim/runtime/pool.hpp"

namespace tutti::engines {

using platforms::LinkId;
using ClassId = std::uint32_t;
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

class ShareClasses {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

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
    FlowBundleId bundle = none;    // the bundle whose member or variable it is
    MemberLists::Place place = 0;  // of a member: in the bundle's list
    bool is_variable = false;      // it represents all members of its bundle
    bool listed = false;           // it is in the lists of its links
    bool in_use = false;

    bool is_member() const { return bundle != none && !is_variable; }
  };
  // The data of a class that are needed for all classes of a link. Thousands of them fit into a
  // cache.
  struct Mark {
    LinkId bottleneck = none;  // none: its limit
    State state = State::settled;
    bool touched = false;  // by set_flows since the last solve
  };
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
  struct alignas(32) Link {
    double capacity_Bps;       // 0: not set yet
    double taken;              // capacity used by the classes in its list
    MemberLists::List list;    // its classes
    std::uint32_t classes;     // number of classes in its list
    std::uint32_t held;        // number of settled classes whose bottleneck it is
    FlowBundleId bundle : 30;  // if bundling is `sole`; if it is `joint`, the number of bundles
    Bundling bundling : 2;
    bool is_joint() const { return bundling == Bundling::joint; }
  };

  ShareClasses(std::size_t links, bool dense) : links_(links, dense) {}

  std::size_t link_count() const { return links_.size(); }
  void grow(std::size_t links) { links_.grow(links); }
  void find_capacities(std::function<double(LinkId)> capacity_of) {
    capacity_of_ = std::move(capacity_of);
  }
  Link& link(LinkId id) { return links_[id]; }
  const Link& link(LinkId id) const { return links_[id]; }
  // The newest class in the link's list, which is not empty.
  ClassId newest(const Link& link) const { return lists_.newest(link.list); }
  // Calls visit(ClassId) for the classes in the link's list, from the newest to the oldest. The
  // list must not change meanwhile.
  template <class Visit>
  void visit(const Link& link, Visit visit) const {
    lists_.visit(link.list, visit);
  }

  // Adds a class without flows.
  ClassId add(std::span<const LinkId> links, double limit_Bps);
  // Frees the identifier of a class that is not listed.
  void remove(ClassId id);
  std::uint32_t size() const { return classes_.size(); }  // number of identifiers
  std::uint32_t in_use() const { return classes_.in_use(); }
  Class& operator[](ClassId id) { return classes_[id]; }
  const Class& operator[](ClassId id) const { return classes_[id]; }
  Mark& mark(ClassId id) { return marks_[id]; }
  const Mark& mark(ClassId id) const { return marks_[id]; }
  std::span<Entry> entries(const Class& owner) {
    return {entries_.data() + owner.first_entry, owner.entry_count};
  }
  std::span<const Entry> entries(const Class& owner) const {
    return {entries_.data() + owner.first_entry, owner.entry_count};
  }

  // Marks the class for the next solve.
  void touch(ClassId id) {
    if (!std::exchange(marks_[id].touched, true)) touched_.push_back(id);
  }
  const std::vector<ClassId>& touched() const { return touched_; }
  void forget_touched() { touched_.clear(); }

  // Adds the class to the lists of its links; a member only to those that are not joint.
  void list(ClassId id);
  // Removes it from these lists.
  void unlist(ClassId id);
  // Sets the rate of a class, and updates the used capacity of its links.
  void take(Class& taker, std::uint32_t flows, double rate);
  // Sets the bottleneck of a settled class.
  void hold(ClassId id, LinkId bottleneck);

  // Prefetches data of a class for calls some iterations later.
  void prefetch(ClassId id) const {
    __builtin_prefetch(&classes_[id], 1);
    __builtin_prefetch(marks_.data() + id, 1);
  }
  // Prefetches data of the i-th class and the following ones for a loop over the classes and their
  // links.
  void prefetch(const std::vector<ClassId>& ids, std::size_t i) const;

 private:
  std::uint32_t take_entries(std::size_t count);
  void look_up_capacity(LinkId id);
  void mark_guest(Link& link, ClassId id, FlowBundleId bundle);

  std::function<double(LinkId)> capacity_of_;
  ZeroArray<Link> links_;
  runtime::Pool<Class> classes_;
  LargeVector<Mark> marks_;  // by ClassId
  MemberLists lists_;        // of the links
  LargeVector<Entry> entries_;
  std::vector<std::vector<std::uint32_t>> free_entries_;  // by their count
  std::vector<ClassId> touched_;
};

}  // namespace tutti::engines
