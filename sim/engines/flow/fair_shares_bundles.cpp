// SPDX-License-Identifier: BSD-3-Clause
// Bundles of FairShares. A bundle has a set of links, and a class of its own, the variable, which
// is listed on these links and filled like any other; its members are listed on their other links
// only. Invariants between solves:
//  * no other link of a member is the bottleneck of any class, so no rate there depends on
//    the level;
//  * these links have capacity for the reservations of members (the ceiling for each flow), or only
//    this bundle crosses them and they have at least the capacity of one of its links: none
//    overflows;
//  * the level, which is the variable's rate, is at most the ceiling, and that at most the limit of
//    every member;
//  * a joint link, one of any bundle's, is among the links of all bundles whose members cross it.
// So the bottleneck of the variable is that of all members. Their starts and ends change only the
// variable's number of flows. When the level leaves its bounds, or a member lacks capacity, all
// members renew their reservations. A link that has no capacity for them, or stops another class,
// is contended: it becomes joint, and the members that cross it move to bundles with this link.

#include "sim/base/common.hpp"
#include "sim/engines/flow/fair_shares.hpp"

namespace tutti::engines {

namespace {

// Maximum fraction of a link's capacity for reservations; the margin is well above rounding errors.
constexpr double reserved_fraction = 1 - 1e-9;
// Members reserve `headroom` times the level, and renew the reservation when the level exceeds it,
// is much lower, or if a link lacks the capacity.
constexpr double headroom = 1.125;
constexpr double lowest_fraction = 1.0 / (2 * headroom);
// To renew the reservations for the lack of capacity pays off if the level has fallen by this much.
constexpr double worth_renewing = 1.06;
// A bundle pays off if it saves this many solves of all its classes.
constexpr std::uint32_t worth_it = 16;
// Bundles are formed if a solve filled this many times as many classes as had changed, counting
// each filling.
constexpr std::size_t filled_per_touched = 4;

}  // namespace

// ---- members ----

// Updates the relation between the link and bundles before a member of `bundle` is listed on it.
void FairShares::mark_guest(LinkState& link, ClassId id, FlowBundleId bundle) {
  const bool comes_twice = link.classes > 0 && lists_.newest(link.list) == id;
  const bool is_same = link.bundling == Bundling::sole && link.bundle == bundle;
  link.bundling = (link.classes == 0 || is_same) && !comes_twice ? Bundling::sole : Bundling::none;
  link.bundle = bundle;
}

// The links of the class that are joint, in order. Valid until the next call.
std::span<const platforms::LinkId> FairShares::joint_links(ClassId id) {
  key_.clear();
  for (const Entry& entry : entries(classes_[id]))
    if (links_[entry.link].bundling == Bundling::joint) key_.push_back(entry.link);
  std::ranges::sort(key_);
  return key_;
}

// Makes a class that is not listed a member of the bundle of its joint links. False if there is no
// such bundle, or if the class may have another bottleneck.
bool FairShares::join(ClassId id) {
  const Class& each = classes_[id];
  if (each.is_variable || joint_links(id).empty()) return false;
  const auto found = bundle_of_.find(key_);
  if (found == bundle_of_.end() || each.limit < bundles_[found->second].ceiling) return false;
  for (const Entry& entry : entries(each))
    if (const LinkState& link = links_[entry.link];
        link.bundling != Bundling::joint && link.held > 0)
      return false;
  enter(id, found->second);
  return true;
}

void FairShares::enter(ClassId id, FlowBundleId bundle) {
  Class& entered = classes_[id];
  entered.bundle = bundle;
  entered.place = lists_.add(bundles_[bundle].list, id);
  ++bundles_[bundle].members;
  list(id);
  count(entered);
}

// Updates the reservations on the links of a member, and its part of the variable.
void FairShares::count(Class& member) {
  const FlowBundle& bundle = bundles_[member.bundle];
  const double before = member.counted * member.rate;
  const double after = member.flows * bundle.ceiling;
  if (after != before)
    for (const Entry& entry : entries(member)) {
      LinkState& link = links_[entry.link];
      if (link.bundling == Bundling::joint) continue;
      link.taken = link.classes == 1 ? after : link.taken + (after - before);
    }
  classes_[bundle.variable].flows += member.flows - member.counted;
  if (member.flows != member.counted) touch_variable(bundle);
  member.counted = member.flows;
  member.rate = bundle.ceiling;
}

// Takes the class out of its bundle and all lists.
void FairShares::quit(ClassId id) {
  Class& member = classes_[id];
  const FlowBundleId left = member.bundle;
  const std::uint32_t flows = std::exchange(member.flows, 0);
  count(member);
  unlist(id);
  member.flows = flows;
  member.rate = 0;
  member.bundle = none;
  lists_.remove(bundles_[left].list, member.place,
                [&](ClassId other, auto, auto to) { classes_[other].place = to; });
  --bundles_[left].members;
  touch(left);
}

// The same for a member with flows, during a solve.
void FairShares::eject(ClassId id) {
  const FlowBundleId left = classes_[id].bundle;
  left_.push_back({id, left});
  quit(id);
  const ClassId variable = bundles_[left].variable;
  if (classes_[variable].flows > 0) refill(variable);
}

void FairShares::list_alone(ClassId id) {
  list(id);
  marks_[id].touched = true;
  refill(id);
}

// ---- capacity of other links ----

// Whether the link, which is not among those of the bundle, may be a bottleneck of the member.
bool FairShares::is_crowded(const Class& member, LinkId id) const {
  const LinkState& link = links_[id];
  if (link.bundling == Bundling::joint) return false;
  if (link.held > 0) return true;
  const double most = bundles_[member.bundle].capacity;
  if (link.bundling == Bundling::sole && link.capacity_Bps >= most) return false;
  return link.taken > reserved_fraction * link.capacity_Bps;
}

bool FairShares::find_crowded(const Class& member) {
  const std::size_t before = crowded_.size();
  for (const Entry& entry : entries(member))
    if (is_crowded(member, entry.link)) crowded_.push_back(entry.link);
  return crowded_.size() > before;
}

// Ensures that the members that have changed have capacity.
void FairShares::serve_members() {
  for (const ClassId id : changed_) {
    const Class& each = classes_[id];
    const std::size_t before = crowded_.size();
    if (!is_member(each) || !find_crowded(each)) continue;
    FlowBundle& bundle = bundles_[each.bundle];
    if (bundle.renewed == solves_ || bundle.ceiling < worth_renewing * headroom * bundle.level)
      continue;
    bundle.renewed = solves_;
    crowded_.resize(before);
    reserve(each.bundle);
  }
  contend_for_crowded();
}

// Renews the reservations, and notes the links that do not have the capacity. Members whose limit
// may become their bottleneck get a rate of their own.
void FairShares::reserve(FlowBundleId id) {
  FlowBundle& bundle = bundles_[id];
  bundle.ceiling = headroom * bundle.level;
  members_.clear();
  lists_.visit(bundle.list, [&](ClassId each) { members_.push_back(each); });
  const auto is_limited = [&](ClassId each) { return classes_[each].limit < bundle.ceiling; };
  for (const ClassId each : members_)
    if (is_limited(each)) {
      eject(each);
      list_alone(each);
    } else {
      count(classes_[each]);
    }
  if (bundle.members == 0) return retire(id);
  for (const ClassId each : members_)
    if (is_member(classes_[each])) find_crowded(classes_[each]);
}

// False if no member had to move.
bool FairShares::contend_for_crowded() {
  const std::size_t before = left_.size();
  while (!crowded_.empty()) {
    std::vector<LinkId> links = std::move(crowded_);
    crowded_.clear();
    std::ranges::sort(links);
    links.erase(std::ranges::unique(links).begin(), links.end());
    for (const LinkId link : links) contend(link);
  }
  return left_.size() > before;
}

// Makes the link joint, and moves the members that cross it.
void FairShares::contend(LinkId id) {
  LinkState& link = links_[id];
  if (link.bundling == Bundling::joint || link.classes == 0) return;
  std::vector<ClassId> movers;
  visit_link(link, [&](ClassId other) {
    if (is_member(classes_[other]) && (movers.empty() || movers.back() != other))
      movers.push_back(other);
  });
  if (movers.empty()) return;
  const std::size_t before = left_.size();
  for (const ClassId each : movers) {
    classes_[each].new_rate = bundles_[classes_[each].bundle].level;
    eject(each);
  }
  link.bundling = Bundling::joint;
  link.bundle = 1;
  regroup(movers);
  if (--link.bundle == 0) link.bundling = Bundling::none;
  for (std::size_t i = before; i < left_.size(); ++i)
    if (const FlowBundleId old = left_[i].bundle; bundles_[old].in_use && !bundles_[old].members)
      retire(old);
}

// Gives classes that are not listed bundles of their joint links, or lists them alone if they are
// few.
void FairShares::regroup(std::span<const ClassId> movers) {
  std::map<std::vector<LinkId>, std::vector<ClassId>> groups;
  for (const ClassId each : movers) {
    joint_links(each);
    groups[key_].push_back(each);
  }
  for (const auto& [links, classes] : groups) {
    auto found = bundle_of_.find(links);
    if (found == bundle_of_.end() && classes.size() >= fewest_members()) {
      double level = 0;
      for (const ClassId each : classes) level = std::max(level, classes_[each].new_rate);
      make(links, level);
      found = bundle_of_.find(links);
    }
    for (const ClassId each : classes)
      if (found == bundle_of_.end() || classes_[each].limit < bundles_[found->second].ceiling)
        list_alone(each);
      else
        enter(each, found->second);
    if (found == bundle_of_.end()) continue;
    if (bundles_[found->second].members == 0) touch(found->second);  // to be retired
    for (const ClassId each : classes)
      if (is_member(classes_[each])) find_crowded(classes_[each]);
    if (const ClassId variable = bundles_[found->second].variable; classes_[variable].flows > 0)
      refill(variable);
  }
}

// ---- settling ----

// Applies the new rates of variables until all invariants are satisfied.
void FairShares::settle_bundles() {
  while (!touched_bundles_.empty()) {
    for (std::size_t i = 0; i < touched_bundles_.size(); ++i) settle(touched_bundles_[i]);
    touched_bundles_.clear();
    contend_for_crowded();
    gather_around_refilled();
    solve_refilled();
  }
  std::erase_if(changed_bundles_, [&](FlowBundleId id) { return !bundles_[id].in_use; });
}

void FairShares::settle(FlowBundleId id) {
  FlowBundle& bundle = bundles_[id];
  bundle.touched = false;
  if (!bundle.in_use) return;
  if (bundle.members == 0) return retire(id);
  if (bundle.members < fewest_members()) return dissolve(id);
  bundle.level = classes_[bundle.variable].rate;
  if (!std::exchange(bundle.reported, true)) {
    changed_bundles_.push_back(id);
    ++bundle.served;
  }
  if (bundle.level > bundle.ceiling || bundle.level < lowest_fraction * bundle.ceiling) reserve(id);
}

void FairShares::touch(FlowBundleId id) {
  if (!std::exchange(bundles_[id].touched, true)) touched_bundles_.push_back(id);
}

// The number of flows of the variable has changed.
void FairShares::touch_variable(const FlowBundle& bundle) {
  const ClassId id = bundle.variable;
  if (!classes_[id].listed && classes_[id].flows > 0) list(id);
  if (!std::exchange(marks_[id].touched, true)) touched_.push_back(id);
}

// ---- forming ----

FlowBundleId FairShares::make(std::span<const LinkId> links, double level) {
  const FlowBundleId id = bundles_.take();
  FlowBundle& made = bundles_[id];
  made = {.links = {links.begin(), links.end()},
          .variable = add(links, no_limit),
          .level = level,
          .ceiling = headroom * level,
          .capacity = no_limit,
          .in_use = true};
  classes_[made.variable].is_variable = true;
  classes_[made.variable].bundle = id;
  for (const LinkId each : links) {
    LinkState& link = links_[each];
    link.bundle = link.bundling == Bundling::joint ? link.bundle + 1 : 1;
    link.bundling = Bundling::joint;
    made.capacity = std::min(made.capacity, link.capacity_Bps);
  }
  bundle_of_[made.links] = id;
  return id;
}

void FairShares::form_bundles() {
  for (const LinkId id : candidates_) {
    if (!may_form(id)) continue;
    if (waiting_ > 0)
      --waiting_;
    else if (!form(id))
      wait_longer();
  }
  contend_for_crowded();
  gather_around_refilled();
  solve_refilled();
  settle_bundles();
  candidates_.clear();
}

void FairShares::wait_longer() {
  wait_ = std::min(std::max(1u, 2 * wait_), rules_.most_wait);
  waiting_ = wait_;
}

bool FairShares::may_form(LinkId id) const {
  return links_[id].held >= rules_.least && filled_classes_ >= filled_per_touched * touched_.size();
}

// Turns the classes whose bottleneck is the link into bundles, one for each set of links that may
// stop them. False if these sets are too different.
bool FairShares::form(LinkId id) {
  std::map<std::vector<LinkId>, std::vector<ClassId>> groups;
  ClassId last = none;
  visit_link(links_[id], [&](ClassId other) {
    const Class& each = classes_[other];
    if (marks_[other].bottleneck != id || each.bundle != none || other == last ||
        each.limit < headroom * each.rate)
      return;
    last = other;
    key_.clear();
    for (const Entry& entry : entries(each))
      if (const LinkState& link = links_[entry.link];
          link.held > 0 || link.bundling == Bundling::joint)
        key_.push_back(entry.link);
    std::ranges::sort(key_);
    groups[key_].push_back(other);
  });
  std::erase_if(groups, [&](const auto& group) {
    return group.second.size() < 2 * fewest_members() - 1 && !bundle_of_.contains(group.first);
  });
  for (const auto& [links, classes] : groups)  // first, to detect links that no other class crosses
    for (const ClassId each : classes) {
      classes_[each].new_rate = classes_[each].rate;
      hold(each, none);
      take(classes_[each], 0, 0);
      unlist(each);
    }
  for (const auto& [links, classes] : groups) {
    if (!bundle_of_.contains(links)) make(links, classes_[classes.front()].new_rate);
    const FlowBundleId bundle = bundle_of_.at(links);
    for (const ClassId each : classes)
      if (classes_[each].limit < bundles_[bundle].ceiling)
        list_alone(each);
      else
        enter(each, bundle);
    for (const ClassId each : classes)
      if (is_member(classes_[each])) find_crowded(classes_[each]);
    changed_.insert(changed_.end(), classes.begin(), classes.end());
    if (const ClassId variable = bundles_[bundle].variable; classes_[variable].flows > 0)
      refill(variable);
    touch(bundle);
  }
  return !groups.empty();
}

// ---- dissolving ----

// Ends the bundle, and marks its classes for the filling.
void FairShares::dissolve(FlowBundleId id) {
  FlowBundle& bundle = bundles_[id];
  if (bundle.served < worth_it)
    wait_longer();
  else
    wait_ = 0;
  std::vector<ClassId> members;
  lists_.visit(bundle.list, [&](ClassId each) { members.push_back(each); });
  for (const ClassId each : members) eject(each);
  for (const ClassId each : members) list_alone(each);
  retire(id);
}

// Removes a bundle without members. Its identifiers are freed at the end of the solve.
void FairShares::retire(FlowBundleId id) {
  FlowBundle& bundle = bundles_[id];
  const ClassId variable = bundle.variable;
  if (marks_[variable].state != State::settled) {
    const auto at = std::ranges::find(refilled_, variable);
    if (static_cast<std::size_t>(at - refilled_.begin()) < gathered_) --gathered_;
    refilled_.erase(at);
    marks_[variable].bottleneck = none;
  }
  hold(variable, none);
  if (classes_[variable].listed) {
    take(classes_[variable], 0, 0);
    unlist(variable);
  }
  marks_[variable] = {};
  for (const LinkId each : bundle.links)
    if (LinkState& link = links_[each]; --link.bundle == 0) link.bundling = Bundling::none;
  bundle_of_.erase(bundle.links);
  bundle.in_use = false;
  dissolved_.push_back(id);
}

void FairShares::free_retired() {
  for (const FlowBundleId id : dissolved_) {
    const ClassId variable = bundles_[id].variable;
    Class& freed = classes_[variable];
    freed.in_use = false;
    free_entries_[freed.entry_count].push_back(freed.first_entry);
    classes_.give_back(variable);
    bundles_.give_back(id);
  }
}

}  // namespace tutti::engines
