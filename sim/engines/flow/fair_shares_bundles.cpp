// SPDX-License-Identifier: BSD-3-Clause
// Bundles of FairShares. Either all classes whose bottleneck is a link form its bundle, or none.
// Invariants of a bundle:
//  * the link is saturated: its level is the capacity that other classes leave, divided by the
//    bundle's number of flows;
//  * the other classes on the link have at most this rate, and their rates are fixed;
//  * the other links of the members are not the bottleneck of any class, so no other rate depends
//    on the level;
//  * these links have capacity for the reservations of members (the ceiling for each flow), or only
//    this bundle crosses them and they have at least the capacity of its link: none overflows;
//  * the level is at most the ceiling, and at most the limit of every member.
// So each class has its bottleneck. A start or end of a member, or of another class on the link,
// changes one number. When the level leaves its bounds, or a member lacks capacity, all members
// renew their reservations. A change that would violate an invariant dissolves the bundle; its
// classes are then filled with the others.

#include "sim/base/common.hpp"
#include "sim/engines/flow/fair_shares.hpp"

namespace tutti::engines {

namespace {

// Maximum fraction of a link's capacity for reservations; the margin is well above rounding errors.
constexpr double reserved_fraction = 1 - 1e-9;
// Members reserve `headroom` times the level, and renew the reservation when the level exceeds it,
// is much lower, or if a link lacks the capacity. With more headroom, the NICs of nodes with many
// ranks, of which each sends to another bundle, have too little.
constexpr double headroom = 1.125;
constexpr double lowest_fraction = 1.0 / (2 * headroom);
// A bundle pays off if it saves this many solves of all its classes.
constexpr std::uint32_t worth_it = 16;
// A bundle is formed if a solve filled this many times as many classes as had changed, counting
// each filling.
constexpr std::size_t filled_per_touched = 4;

}  // namespace

// ---- members ----

// The first link of the class that has a bundle.
platforms::LinkId FairShares::bundle_link(const Class& each) const {
  for (const Entry& entry : entries(each))
    if (links_[entry.link].bundling == Bundling::own) return entry.link;
  return none;
}

// Updates the relation between the link and bundles before a member of `bundle` is listed on it.
void FairShares::mark_guest(LinkState& link, ClassId id, FlowBundleId bundle) {
  if (link.bundling == Bundling::own) return;
  const bool comes_twice = link.classes > 0 && lists_.newest(link.list) == id;
  const bool is_same = link.bundling == Bundling::sole && link.bundle == bundle;
  link.bundling = (link.classes == 0 || is_same) && !comes_twice ? Bundling::sole : Bundling::none;
  link.bundle = bundle;
}

// Updates the reservations on the links of a member to its number of flows.
void FairShares::count(Class& member) {
  FlowBundle& bundle = bundles_[member.bundle];
  const double before = member.counted * member.rate;
  const double after = member.flows * bundle.ceiling;
  for (const Entry& entry : entries(member)) {
    LinkState& link = links_[entry.link];
    if (entry.link == bundle.link)
      bundle.flows += std::uint64_t{member.flows} - member.counted;
    else
      link.taken = link.classes == 1 ? after : link.taken + (after - before);
  }
  member.counted = member.flows;
  member.rate = bundle.ceiling;
  touch(member.bundle);
}

void FairShares::quit(Class& member) {
  count(member);
  member.bundle = none;
  member.rate = 0;
}

bool FairShares::fits(const Class& member) const {
  const FlowBundle& bundle = bundles_[member.bundle];
  const double capacity = links_[bundle.link].capacity_Bps;
  const auto has_room = [&](const Entry& entry) {
    if (entry.link == bundle.link) return true;
    const LinkState& link = links_[entry.link];
    if (link.held > 0) return false;
    if (link.bundling == Bundling::sole && link.capacity_Bps >= capacity) return true;
    return link.taken <= reserved_fraction * link.capacity_Bps;
  };
  return member.limit >= bundle.ceiling && std::ranges::all_of(entries(member), has_room);
}

// ---- solving ----

// Applies changes of touched classes to bundles. The other classes remain touched.
void FairShares::serve_bundles() {
  for (const ClassId id : touched_) {
    if (!marks_[id].touched || !serve(id)) continue;
    marks_[id].touched = false;
    changed_.push_back(id);
  }
  for (const FlowBundleId id : touched_bundles_) {
    FlowBundle& bundle = bundles_[id];
    if (!bundle.in_use) continue;
    ++bundle.served;
    if (!settle_level(bundle)) dissolve(id);
  }
}

// False if the class must be filled.
bool FairShares::serve(ClassId id) {
  Class& each = classes_[id];
  if (marks_[id].state != State::settled) return false;
  const LinkId link = each.bundle != none ? bundles_[each.bundle].link : bundle_link(each);
  if (link == none) {
    if (!each.listed) list(id);
    return false;
  }
  const FlowBundleId bundle = links_[link].bundle;
  const bool joins = !each.listed;
  if (joins) {
    list(id, bundle);
    hold(id, link);
    each.bundle = bundle;
  }
  if (each.bundle == bundle) {
    count(each);
    if (fits(each)) return true;
    // The level may have fallen since the reservation.
    const bool may_renew = std::exchange(bundles_[bundle].renewed, solves_) != solves_;
    if (may_renew && reserve(bundle, level_of(bundles_[bundle]))) return true;
  }
  dissolve(bundle);
  return false;
}

// The rate that the other classes leave to each flow of the bundle.
double FairShares::level_of(const FlowBundle& bundle) const {
  const LinkState& link = links_[bundle.link];
  return std::max(0.0, link.capacity_Bps - link.taken) / static_cast<double>(bundle.flows);
}

bool FairShares::settle_level(FlowBundle& bundle) {
  LinkState& link = links_[bundle.link];
  if (link.held == 0 || 2 * link.held < rules_.least) return false;
  if (link.classes == link.held) link.taken = 0;  // removes accumulated rounding errors
  const double level = level_of(bundle);
  if (exceeds(bundle.most, level) || level <= 0) return false;
  bundle.level = level;
  const bool in_bounds = level <= bundle.ceiling && level >= lowest_fraction * bundle.ceiling;
  return in_bounds || reserve(link.bundle, level);
}

// Renews the reservations; false if a link of a member does not have the capacity.
bool FairShares::reserve(FlowBundleId id, double level) {
  FlowBundle& bundle = bundles_[id];
  const LinkState& link = links_[bundle.link];
  bundle.ceiling = headroom * level;
  visit_link(link, [&](ClassId other) {
    const Class& each = classes_[other];
    if (each.bundle == id) bundle.ceiling = std::min(bundle.ceiling, each.limit);
  });
  visit_link(link, [&](ClassId other) {
    Class& each = classes_[other];
    if (each.bundle == id) count(each);
  });
  bool all_fit = bundle.ceiling >= level;
  visit_link(link, [&](ClassId other) {
    const Class& each = classes_[other];
    all_fit = all_fit && (each.bundle != id || fits(each));
  });
  return all_fit;
}

void FairShares::touch(FlowBundleId id) {
  if (!std::exchange(bundles_[id].touched, true)) touched_bundles_.push_back(id);
}

// Collects the changed bundles. A bundle may be listed twice if its id was reused.
void FairShares::note_changed_bundles() {
  for (const FlowBundleId id : touched_bundles_)
    if (bundles_[id].in_use && std::exchange(bundles_[id].touched, false))
      changed_bundles_.push_back(id);
  touched_bundles_.clear();
}

// ---- forming ----

void FairShares::form_bundles() {
  for (const LinkId id : candidates_) {
    if (!may_form(id)) continue;
    if (waiting_ > 0)
      --waiting_;
    else
      form(id);
  }
  candidates_.clear();
}

void FairShares::wait_longer() {
  wait_ = std::min(std::max(1u, 2 * wait_), rules_.most_wait);
  waiting_ = wait_;
}

bool FairShares::may_form(LinkId id) const {
  const LinkState& link = links_[id];
  return link.bundling != Bundling::own && link.held >= rules_.least &&
         filled_classes_ >= filled_per_touched * touched_.size();
}

// Turns all classes whose bottleneck is the link into its bundle, if the invariants can be
// satisfied.
void FairShares::form(LinkId id) {
  LinkState& link = links_[id];
  members_.clear();
  double most = 0;
  visit_link(link, [&](ClassId other) {
    if (marks_[other].bottleneck != id)
      most = std::max(most, classes_[other].rate);
    else if (members_.empty() || members_.back() != other)
      members_.push_back(other);
  });
  const double level = classes_[members_.front()].rate;
  for (const ClassId each : members_) {  // to detect links that no other class crosses
    take(classes_[each], 0, 0);
    unlist(each);
  }
  const FlowBundleId bundle = bundles_.take();
  bundles_[bundle] = {.link = id, .most = most, .in_use = true};
  link.bundle = bundle;
  link.bundling = Bundling::own;
  for (const ClassId each : members_) {
    list(each, bundle);
    classes_[each].bundle = bundle;
    count(classes_[each]);
  }
  if (settle_level(bundles_[bundle])) {
    changed_.insert(changed_.end(), members_.begin(), members_.end());
    return;
  }
  disband(bundle);
  for (const ClassId each : members_) take(classes_[each], classes_[each].flows, level);
  wait_longer();
}

// ---- dissolving ----

// Ends the bundle. The members stay in their lists, as classes whose rates are the reservations.
void FairShares::disband(FlowBundleId id) {
  FlowBundle& bundle = bundles_[id];
  LinkState& link = links_[bundle.link];
  link.bundling = Bundling::none;
  visit_link(link, [&](ClassId other_id) {
    Class& each = classes_[other_id];
    if (each.bundle != id) return;
    each.bundle = none;
    for (const Entry& entry : entries(each)) {
      LinkState& other = links_[entry.link];
      if (entry.link == bundle.link) other.taken += each.counted * each.rate;
      if (other.bundling == Bundling::sole) other.bundling = Bundling::none;
    }
  });
  bundle.in_use = false;
  bundles_.give_back(id);
}

// Ends the bundle, and marks its classes for the filling.
void FairShares::dissolve(FlowBundleId id) {
  const FlowBundle& bundle = bundles_[id];
  const LinkId link = bundle.link;
  if (bundle.served < worth_it)
    wait_longer();
  else
    wait_ = 0;
  disband(id);
  dissolved_.push_back(id);
  visit_link(links_[link], [&](ClassId other) {
    if (marks_[other].bottleneck == link) refill(other);
  });
}

}  // namespace tutti::engines
