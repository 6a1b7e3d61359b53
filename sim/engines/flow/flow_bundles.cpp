// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/flow_bundles.hpp"

namespace tutti::engines {

namespace {

// Maximum fraction of a link's capacity for reservations; the margin is well above rounding errors.
constexpr double reserved_fraction = 1 - 1e-9;
// Members reserve `headroom` times the level, and renew the reservation when the level exceeds it,
// is much lower, or if a link lacks the capacity.
constexpr double headroom = 1.125;
constexpr double lowest_fraction = 1.0 / (2 * headroom);
// Minimum drop of the level, as a factor, before reservations are renewed because a link lacks the
// capacity.
constexpr double worth_renewing = 1.06;
// Minimum number of solves of all its classes that a bundle must save to pay off.
constexpr std::uint32_t worth_it = 16;
// Bundles are formed if a solve filled this many times as many classes as had changed, counting
// each filling.
constexpr std::size_t filled_per_touched = 4;

}  // namespace

void FlowBundles::begin_solve() {
  changed_.clear();
  left_.clear();
  dissolved_.clear();
  changed_bundles_.clear();
}

ShareChanges FlowBundles::take_changes() {
  for (const FlowBundleId id : changed_bundles_) bundles_[id].reported = false;
  for (const ShareChanges::Left& left : left_) changed_.push_back(left.id);
  free_retired();
  return {left_, dissolved_, changed_, changed_bundles_};
}

void FlowBundles::note_changed(ClassId id) {
  if (classes()[id].is_variable)
    touch(classes()[id].bundle);
  else
    changed_.push_back(id);
}

bool FlowBundles::solve_refilled() {
  if (filling().refilled() == 0) return true;
  bool enough = true;
  for (filling().fill();; filling().fill()) {
    const std::size_t before = filling().refilled();
    filling().extend(crowded_);
    const bool has_moved = contend_for_crowded();
    if (filling().refilled() == before && !has_moved) break;
    filling().reopen();
    enough = false;
  }
  filling().commit([&](ClassId id) { note_changed(id); });
  const std::vector<LinkId>& full = filling().full_links();
  candidates_.insert(candidates_.end(), full.begin(), full.end());
  return enough;
}

// ---- members ----

// The links of the class that are joint, in order. Valid until the next call.
std::span<const LinkId> FlowBundles::joint_links(ClassId id) {
  key_.clear();
  for (const Entry& entry : classes().entries(classes()[id]))
    if (classes().link(entry.link).is_joint()) key_.push_back(entry.link);
  std::ranges::sort(key_);
  return key_;
}

bool FlowBundles::join(ClassId id) {
  const Class& joining = classes()[id];
  if (joining.is_variable || joint_links(id).empty()) return false;
  const auto bundle = by_links_.find(key_);
  if (bundle == by_links_.end() || joining.limit < bundles_[bundle->second].ceiling) return false;
  for (const Entry& entry : classes().entries(joining))
    if (const Link& link = classes().link(entry.link); !link.is_joint() && link.held > 0)
      return false;
  enter(id, bundle->second);
  return true;
}

void FlowBundles::enter(ClassId id, FlowBundleId bundle) {
  Class& entered = classes()[id];
  entered.bundle = bundle;
  entered.place = lists_.add(bundles_[bundle].list, id);
  ++bundles_[bundle].members;
  classes().list(id);
  reserve(entered);
}

void FlowBundles::update(ClassId member) {
  reserve(classes()[member]);
  touch(
      classes()[member].bundle);  // although its level may not change, the next end of a member may
  changed_.push_back(member);
}

// Updates the reservations on the links of a member, and its part of the variable.
void FlowBundles::reserve(Class& member) {
  const FlowBundle& bundle = bundles_[member.bundle];
  const double before = member.counted * member.rate;
  const double after = member.flows * bundle.ceiling;
  if (after != before)
    for (const Entry& entry : classes().entries(member)) {
      Link& link = classes().link(entry.link);
      if (link.is_joint()) continue;
      link.taken = link.classes == 1 ? after : link.taken + (after - before);
    }
  classes()[bundle.variable].flows += member.flows - member.counted;
  if (member.flows != member.counted) touch_variable(bundle);
  member.counted = member.flows;
  member.rate = bundle.ceiling;
}

void FlowBundles::quit(ClassId id) {
  Class& member = classes()[id];
  const FlowBundleId left = member.bundle;
  const std::uint32_t flows = std::exchange(member.flows, 0);
  reserve(member);
  classes().unlist(id);
  member.flows = flows;
  member.rate = 0;
  member.bundle = none;
  lists_.remove(bundles_[left].list, member.place,
                [&](ClassId other, auto, auto to) { classes()[other].place = to; });
  --bundles_[left].members;
  touch(left);
}

// The same for a member with flows, during a solve.
void FlowBundles::eject(ClassId id) {
  const FlowBundleId left = classes()[id].bundle;
  left_.push_back({id, left});
  quit(id);
  refill_variable(left);
}

void FlowBundles::refill_variable(FlowBundleId id) {
  const ClassId variable = bundles_[id].variable;
  if (classes()[variable].flows > 0) filling().refill(variable);
}

// Gives a class that is not listed a rate of its own.
void FlowBundles::list_alone(ClassId id) {
  classes().list(id);
  classes().mark(id).touched = true;
  filling().refill(id);
}

// ---- capacity of other links ----

// Whether the link, which is not among those of the bundle, may be a bottleneck of the member.
bool FlowBundles::is_crowded(const Class& member, LinkId id) const {
  const Link& link = classes().link(id);
  if (link.is_joint()) return false;
  if (link.held > 0) return true;
  const double most = bundles_[member.bundle].capacity;
  if (link.bundling == Bundling::sole && link.capacity_Bps >= most) return false;
  return link.taken > reserved_fraction * link.capacity_Bps;
}

// Notes the crowded links of the member; false if there are none.
bool FlowBundles::find_crowded(const Class& member) {
  const std::size_t before = crowded_.size();
  for (const Entry& entry : classes().entries(member))
    if (is_crowded(member, entry.link)) crowded_.push_back(entry.link);
  return crowded_.size() > before;
}

void FlowBundles::serve_members() {
  for (const ClassId id : changed_) {
    const Class& changed = classes()[id];
    const std::size_t before = crowded_.size();
    if (!changed.is_member() || !find_crowded(changed)) continue;
    FlowBundle& bundle = bundles_[changed.bundle];
    if (bundle.renewed == filling().solves() ||
        bundle.ceiling < worth_renewing * headroom * bundle.level)
      continue;
    bundle.renewed = filling().solves();
    crowded_.resize(before);
    renew_reservations(changed.bundle);
  }
  contend_for_crowded();
}

// Renews the reservations, and notes the links that do not have the capacity. Members whose limit
// may become their bottleneck get a rate of their own.
void FlowBundles::renew_reservations(FlowBundleId id) {
  FlowBundle& bundle = bundles_[id];
  bundle.ceiling = headroom * bundle.level;
  members_.clear();
  lists_.visit(bundle.list, [&](ClassId member) { members_.push_back(member); });
  for (const ClassId member : members_)
    if (classes()[member].limit < bundle.ceiling) {
      eject(member);
      list_alone(member);
    } else {
      reserve(classes()[member]);
    }
  if (bundle.members == 0) return retire(id);
  for (const ClassId member : members_)
    if (classes()[member].is_member()) find_crowded(classes()[member]);
}

// False if no member had to move.
bool FlowBundles::contend_for_crowded() {
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
void FlowBundles::contend(LinkId id) {
  Link& link = classes().link(id);
  if (link.is_joint() || link.classes == 0) return;
  std::vector<ClassId> movers;
  classes().visit(link, [&](ClassId other) {
    if (classes()[other].is_member() && (movers.empty() || movers.back() != other))
      movers.push_back(other);
  });
  if (movers.empty()) return;
  const std::size_t before = left_.size();
  for (const ClassId mover : movers) {
    classes()[mover].new_rate = bundles_[classes()[mover].bundle].level;
    eject(mover);
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
void FlowBundles::regroup(std::span<const ClassId> movers) {
  std::map<std::vector<LinkId>, std::vector<ClassId>> groups;
  for (const ClassId mover : movers) {
    joint_links(mover);
    groups[key_].push_back(mover);
  }
  for (const auto& [links, group] : groups) {
    auto bundle = by_links_.find(links);
    if (bundle == by_links_.end() && group.size() >= fewest_members()) {
      double level = 0;
      for (const ClassId mover : group) level = std::max(level, classes()[mover].new_rate);
      make(links, level);
      bundle = by_links_.find(links);
    }
    if (bundle == by_links_.end()) {
      for (const ClassId mover : group) list_alone(mover);
      continue;
    }
    enter_or_list(group, bundle->second);
    if (bundles_[bundle->second].members == 0) touch(bundle->second);  // to be retired
    refill_variable(bundle->second);
  }
}

// Makes classes that are not listed members of the bundle, or lists them alone if their limits are
// too low; notes the crowded links of the new members.
void FlowBundles::enter_or_list(std::span<const ClassId> group, FlowBundleId bundle) {
  for (const ClassId entering : group)
    if (classes()[entering].limit < bundles_[bundle].ceiling)
      list_alone(entering);
    else
      enter(entering, bundle);
  for (const ClassId entered : group)
    if (classes()[entered].is_member()) find_crowded(classes()[entered]);
}

// ---- settling ----

void FlowBundles::settle() {
  while (!touched_.empty()) {
    for (std::size_t i = 0; i < touched_.size(); ++i) settle(touched_[i]);
    touched_.clear();
    solve_moved();
  }
  std::erase_if(changed_bundles_, [&](FlowBundleId id) { return !bundles_[id].in_use; });
}

// Moves the members on crowded links, and solves the classes that this and earlier moves affect.
void FlowBundles::solve_moved() {
  contend_for_crowded();
  filling().gather_around_refilled();
  solve_refilled();
}

void FlowBundles::settle(FlowBundleId id) {
  FlowBundle& bundle = bundles_[id];
  bundle.touched = false;
  if (!bundle.in_use) return;
  if (bundle.members == 0) return retire(id);
  if (bundle.members < fewest_members()) return dissolve(id);
  bundle.level = classes()[bundle.variable].rate;
  if (!std::exchange(bundle.reported, true)) {
    changed_bundles_.push_back(id);
    ++bundle.served;
  }
  if (bundle.level > bundle.ceiling || bundle.level < lowest_fraction * bundle.ceiling)
    renew_reservations(id);
}

void FlowBundles::touch(FlowBundleId id) {
  if (!std::exchange(bundles_[id].touched, true)) touched_.push_back(id);
}

// The number of flows of the variable has changed.
void FlowBundles::touch_variable(const FlowBundle& bundle) {
  const Class& variable = classes()[bundle.variable];
  if (!variable.listed && variable.flows > 0) classes().list(bundle.variable);
  classes().touch(bundle.variable);
}

// ---- forming ----

FlowBundleId FlowBundles::make(std::span<const LinkId> links, double level) {
  const FlowBundleId id = bundles_.take();
  FlowBundle& bundle = bundles_[id];
  bundle = {.links = {links.begin(), links.end()},
            .variable = classes().add(links, no_limit),
            .level = level,
            .ceiling = headroom * level,
            .capacity = no_limit,
            .in_use = true};
  classes()[bundle.variable].is_variable = true;
  classes()[bundle.variable].bundle = id;
  for (const LinkId joint : links) {
    Link& link = classes().link(joint);
    link.bundle = link.is_joint() ? link.bundle + 1 : 1;
    link.bundling = Bundling::joint;
    bundle.capacity = std::min(bundle.capacity, link.capacity_Bps);
  }
  by_links_[bundle.links] = id;
  return id;
}

void FlowBundles::form_bundles() {
  if (candidates_.empty()) return;
  for (const LinkId id : candidates_) {
    if (!may_form(id)) continue;
    if (waiting_ > 0)
      --waiting_;
    else if (!form(id))
      wait_longer();
  }
  solve_moved();
  settle();
  candidates_.clear();
}

void FlowBundles::wait_longer() {
  wait_ = std::min(std::max(1u, 2 * wait_), rules_.most_wait);
  waiting_ = wait_;
}

bool FlowBundles::may_form(LinkId id) const {
  return classes().link(id).held >= rules_.least &&
         filling().filled_classes() >= filled_per_touched * classes().touched().size();
}

// Turns the classes whose bottleneck is the link into bundles, one for each set of links that may
// stop them. False if these sets are too different.
bool FlowBundles::form(LinkId id) {
  std::map<std::vector<LinkId>, std::vector<ClassId>> groups;
  ClassId last = none;
  classes().visit(classes().link(id), [&](ClassId other) {
    const Class& stopped = classes()[other];
    if (classes().mark(other).bottleneck != id || stopped.bundle != none || other == last ||
        stopped.limit < headroom * stopped.rate)
      return;
    last = other;
    key_.clear();
    for (const Entry& entry : classes().entries(stopped))
      if (const Link& link = classes().link(entry.link); link.held > 0 || link.is_joint())
        key_.push_back(entry.link);
    std::ranges::sort(key_);
    groups[key_].push_back(other);
  });
  std::erase_if(groups, [&](const auto& group) {
    return group.second.size() < 2 * fewest_members() - 1 && !by_links_.contains(group.first);
  });
  for (const auto& [links, group] : groups)  // first, to detect links that no other class crosses
    for (const ClassId entering : group) {
      classes()[entering].new_rate = classes()[entering].rate;
      classes().hold(entering, none);
      classes().take(classes()[entering], 0, 0);
      classes().unlist(entering);
    }
  for (const auto& [links, group] : groups) {
    if (!by_links_.contains(links)) make(links, classes()[group.front()].new_rate);
    const FlowBundleId bundle = by_links_.at(links);
    enter_or_list(group, bundle);
    changed_.insert(changed_.end(), group.begin(), group.end());
    refill_variable(bundle);
    touch(bundle);
  }
  return !groups.empty();
}

// ---- dissolving ----

// Ends the bundle, and marks its classes for the filling.
void FlowBundles::dissolve(FlowBundleId id) {
  FlowBundle& bundle = bundles_[id];
  if (bundle.served < worth_it)
    wait_longer();
  else
    wait_ = 0;
  std::vector<ClassId> members;
  lists_.visit(bundle.list, [&](ClassId member) { members.push_back(member); });
  for (const ClassId member : members) eject(member);
  for (const ClassId member : members) list_alone(member);
  retire(id);
}

// Removes a bundle without members. Its identifiers are freed at the end of the solve.
void FlowBundles::retire(FlowBundleId id) {
  FlowBundle& bundle = bundles_[id];
  const ClassId variable = bundle.variable;
  filling().withdraw(variable);
  classes().hold(variable, none);
  if (classes()[variable].listed) {
    classes().take(classes()[variable], 0, 0);
    classes().unlist(variable);
  }
  classes().mark(variable) = {};
  for (const LinkId joint : bundle.links)
    if (Link& link = classes().link(joint); --link.bundle == 0) link.bundling = Bundling::none;
  by_links_.erase(bundle.links);
  bundle.in_use = false;
  dissolved_.push_back(id);
}

void FlowBundles::free_retired() {
  for (const FlowBundleId id : dissolved_) {
    classes().remove(bundles_[id].variable);
    bundles_.give_back(id);
  }
}

}  // namespace tutti::engines
