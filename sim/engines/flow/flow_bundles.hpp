// SPDX-License-Identifier: BSD-3-Clause
// The bundles of FairShares (fair_shares.hpp has the glossary). A bundle has a set of links, and a
// class of its own, the variable, which is listed on these links and filled like any other; its
// members are listed on their other links only. Invariants between solves:
//  * no other link of a member is the bottleneck of any class, so no rate there depends on
//    the level;
//  * these links have capacity for the reservations of members (the ceiling for each flow), or only
//    this bundle crosses them and they have at least the capacity of one of its links: none
//    overflows;
//  * the level, which is the variable's rate, is at most the ceiling, and that at most the limit of
//    every member;
//  * a joint link is among the links of all bundles whose members cross it.
// So the bottleneck of the variable is that of all members. Their starts and ends change only the
// variable's number of flows. When the level leaves its bounds, or a member lacks capacity, all
// members renew their reservations. A link that has no capacity for them, or stops another class,
// is contended: it becomes joint, and the members that cross it move to bundles with this link.
#pragma once

#include <map>

#include "sim/base/common.hpp"
#include "sim/engines/flow/flow_bundle.hpp"
#include "sim/engines/flow/progressive_filling.hpp"
#include "sim/engines/flow/share_classes.hpp"

namespace tutti::engines {

// The result of a solve, valid until the next one. A class that leaves a bundle, for another one or
// for a rate of its own, is in `left` and in `classes`. Classes may occur twice.
struct ShareChanges {
  struct Left {
    ClassId id = 0;
    FlowBundleId bundle = 0;  // the class may have been its member since this solve only
  };
  std::span<const Left> left;
  std::span<const FlowBundleId> dissolved;  // without members
  std::span<const ClassId> classes;  // with flows: changed rate or number of flows, or new member
  std::span<const FlowBundleId> bundles;  // changed level; their members are not in `classes`
};

class FlowBundles : public ProgressiveFilling {
 public:
  FlowBundles(std::size_t links, bool dense, const BundleRules& rules)
      : ProgressiveFilling(links, dense, rules.least), rules_(rules) {}
  // The filling without what the bundles add to it.
  ProgressiveFilling& filling() { return *this; }
  const ProgressiveFilling& filling() const { return *this; }

  bool empty() const { return bundles_.in_use() == 0; }
  std::uint32_t count() const { return bundles_.in_use(); }
  double level(FlowBundleId id) const { return bundles_[id].level; }

  void begin_solve();
  // Makes a class that is not listed a member of the bundle of its joint links. False if there is
  // no such bundle, or if the class may have another bottleneck.
  bool join(ClassId id);
  // The number of flows of a member has changed.
  void update(ClassId member);
  // Takes a member out of its bundle and all lists.
  void quit(ClassId id);
  // Reports the class as changed, or its bundle if it is the variable.
  void note_changed(ClassId id);

  // Ensures that the changed members have capacity.
  void serve_members();
  // Fills the refilled classes until no other class violates the condition, and settles them. False
  // if other classes had to be added.
  bool solve_refilled();
  // Applies the new rates of variables until all invariants are satisfied.
  void settle();
  // Forms bundles on links that the fillings of this solve have saturated.
  void form_bundles();
  // Ends the solve.
  ShareChanges take_changes();

 private:
  using Class = ShareClasses::Class;
  using Entry = ShareClasses::Entry;
  using Link = ShareClasses::Link;
  using Bundling = ShareClasses::Bundling;
  static constexpr std::uint32_t none = ShareClasses::none;

  std::span<const LinkId> joint_links(ClassId id);
  void enter(ClassId id, FlowBundleId bundle);
  void reserve(Class& member);
  void eject(ClassId id);
  void list_alone(ClassId id);
  bool is_crowded(const Class& member, LinkId id) const;
  bool find_crowded(const Class& member);
  void renew_reservations(FlowBundleId id);
  bool contend_for_crowded();
  void contend(LinkId id);
  void regroup(std::span<const ClassId> movers);
  void enter_or_list(std::span<const ClassId> classes, FlowBundleId bundle);
  void refill_variable(FlowBundleId id);
  void settle(FlowBundleId id);
  void touch(FlowBundleId id);
  void touch_variable(const FlowBundle& bundle);
  void solve_moved();
  FlowBundleId make(std::span<const LinkId> links, double level);
  bool may_form(LinkId id) const;
  bool form(LinkId id);
  void wait_longer();
  void dissolve(FlowBundleId id);
  void retire(FlowBundleId id);
  void free_retired();
  std::uint32_t fewest_members() const { return std::max(2u, rules_.least / 8); }

  BundleRules rules_;
  runtime::Pool<FlowBundle> bundles_;
  MemberLists lists_;  // of the bundles
  std::map<std::vector<LinkId>, FlowBundleId> by_links_;
  std::vector<FlowBundleId> touched_;
  // The changes of the solve.
  std::vector<ClassId> changed_;
  std::vector<FlowBundleId> changed_bundles_;
  std::vector<FlowBundleId> dissolved_;  // freed after the solve
  std::vector<ShareChanges::Left> left_;
  std::vector<LinkId> crowded_;     // links that may be the bottleneck of members
  std::vector<LinkId> candidates_;  // links whose classes may form bundles
  std::vector<ClassId> members_;    // scratch memory
  std::vector<LinkId> key_;         // scratch memory of joint_links()
  std::uint32_t wait_ = 0;          // opportunities to skip after the next useless bundle
  std::uint32_t waiting_ = 0;       // opportunities still to skip
};

}  // namespace tutti::engines
