// SPDX-License-Identifier: BSD-3-Clause
// Max-min fair rates of flows over shared links, updated as flows start and end.
//
// The allocation is max-min fair if it is feasible and every class has a bottleneck (Bertsekas,
// Gallager, Data Networks, 6.5.2). A change is solved only where it has an effect: touched classes
// that meet on links are refilled, while the rates of all others are fixed. Then the condition is
// tested for every class on every link of the refilled ones. A class that violates it is added, and
// the filling is repeated. So the committed allocation satisfies the condition, and it is unique.
//
// Glossary
//   class       all flows over the same links with the same limit: one variable of the filling with
//               a weight, its number of flows. All of its flows have the same rate.
//   bottleneck  what stops a class: its own limit, or a saturated link on which no class has a
//               higher rate. The link limits the class.
//   bundle      hundreds of classes over the same saturated links, filled as one variable.
//   member      a class of a bundle. It has the bundle's rate.
//   variable    the class that represents all members on the links of the bundle: its number of
//               flows is the sum of theirs.
//   level       the rate of the variable, and of every flow of the bundle.
//   reserved    what a member counts as used on its other links: the ceiling, somewhat above the
//               level, for each flow. So the level changes without a visit to these links.
//   joint       a link of a bundle: its list contains the variable, not the members.
//   sole        a link in whose list all classes are members of one bundle.
//
// Example: four nodes send over their NICs N1 to N4 (10 B/s each) to the NIC R of a fifth (12 B/s),
// node 1 three messages and the others one each. That is four classes, {N1, R} with 3 flows, {N2,
// R}, {N3, R} and {N4, R} with 1. All rates rise together to 2 B/s, where 6 flows saturate R: R is
// the bottleneck of all. If four classes were enough for a bundle, they would become members of one
// with the link R, which is joint, and a variable of 6 flows, with level 2. N1 to N4 are sole. With
// a ceiling of 9/8 of the level, 6.75 B/s are reserved on N1, and 2.25 on N2. When node 2 starts
// another message, only two numbers change: the flows of the variable become 7, its level 12/7, and
// 4.5 B/s are reserved on N2. When node 1 starts three more, 6 x 2.25 B/s exceed the capacity of
// N1, and still do after all members have renewed their reservations with 9/8 of 12/7: N1 is
// crowded. It becomes joint, and its member moves to a bundle with the links N1 and R, or, since it
// is the only one, to a rate of its own.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/flow/flow_bundles.hpp"
#include "sim/engines/flow/progressive_filling.hpp"
#include "sim/engines/flow/share_classes.hpp"

namespace tutti::engines {

class FairShares {
 public:
  static constexpr std::uint32_t none = ShareClasses::none;
  using Changes = ShareChanges;

  // `dense`: most links will be used.
  explicit FairShares(std::size_t links, const BundleRules& rules = {}, bool dense = false)
      : bundles_(links, dense, rules) {}
  FairShares(const FairShares&) = delete;
  FairShares& operator=(const FairShares&) = delete;

  // Makes the link valid. Must not be called during a solve.
  void add_link(LinkId link) {
    if (link < classes().link_count()) return;
    classes().grow(2 * std::size_t{link} + 64);
    filling().grow();
  }
  // Must be called before the first class uses the link, except for links that `capacity_of` knows.
  // `capacity_Bps` must be above 0.
  void set_capacity(LinkId link, double capacity_Bps) {
    classes().link(link).capacity_Bps = capacity_Bps;
  }
  // `capacity_of` is called when the first flow uses a link without a capacity.
  void find_capacities(std::function<double(LinkId)> capacity_of) {
    classes().find_capacities(std::move(capacity_of));
  }
  // The link's capacity in B/s; 0 if it is not set yet.
  double capacity(LinkId link) const { return classes().link(link).capacity_Bps; }
  // Whether at most 1e-9 of the link's capacity is left.
  bool is_full(LinkId link) const {
    return classes().link(link).taken >= capacity(link) * (1 - 1e-9);
  }

  // Adds a class without flows. A link that occurs twice is used twice. Without links, it needs a
  // limit.
  ClassId add(std::span<const LinkId> links, double limit_Bps) {
    return classes().add(links, limit_Bps);
  }
  // The class must not have flows.
  void remove(ClassId id);
  // Sets the number of flows of the class, which takes effect at the next `solve`.
  void set_flows(ClassId id, std::uint32_t flows) {
    classes()[id].flows = flows;
    classes().touch(id);
  }
  std::uint32_t flows(ClassId id) const { return classes()[id].flows; }
  // Prefetches data for set_flows() some calls later.
  void prefetch(ClassId id) const { classes().prefetch(id); }

  bool is_solved() const { return classes().touched().empty(); }
  // Updates all rates. The changes are valid until the next call.
  Changes solve();
  // The rate of each flow of the class.
  double rate(ClassId id) const {
    const ShareClasses::Class& owner = classes()[id];
    return owner.is_member() ? level(owner.bundle) : owner.rate;
  }
  // The bundle of the class; none if it is not in a bundle.
  FlowBundleId bundle(ClassId id) const { return classes()[id].bundle; }
  double level(FlowBundleId id) const { return bundles_.level(id); }

  std::uint32_t class_count() const { return classes().in_use(); }
  std::int64_t solves() const { return filling().solves(); }
  // Number of times that a solve has looked for classes on a link of a changed class.
  std::int64_t looks() const { return filling().looks(); }
  std::uint32_t bundle_count() const { return bundles_.count(); }

  // For the audit: calls visit(ClassId, flows, limit, links, rate) for every class that has flows.
  template <class Visit>
  void visit_classes(Visit visit) const;

 private:
  void leave(ClassId id);
  void list_touched();
  void drop_empty_variables();
  void solve_touched();

  ShareClasses& classes() { return bundles_; }
  const ShareClasses& classes() const { return bundles_; }
  ProgressiveFilling& filling() { return bundles_; }
  const ProgressiveFilling& filling() const { return bundles_; }
  FlowBundles bundles_;
};

template <class Visit>
void FairShares::visit_classes(Visit visit) const {
  std::vector<LinkId> links;
  for (ClassId id = 0; id < classes().size(); ++id) {
    const ShareClasses::Class& owner = classes()[id];
    if (!owner.in_use || owner.flows == 0 || owner.is_variable) continue;
    links.clear();
    for (const ShareClasses::Entry& entry : classes().entries(owner)) links.push_back(entry.link);
    visit(id, owner.flows, owner.limit, links, rate(id));
  }
}

}  // namespace tutti::engines
