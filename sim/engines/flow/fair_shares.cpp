// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/fair_shares.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/check.hpp"

namespace tutti::engines {

namespace {

// Rates that differ by less are one: sums over links of thousands of classes round that much.
constexpr double same_rate = 1e-12;
// A link with no more than this part to spare is saturated.
constexpr double saturated = 1e-11;
// A rate that moves by less stays as it is.
constexpr double same_result = 1e-14;

bool exceeds(double rate, double other) { return rate > other * (1 + same_rate); }

}  // namespace

// ---- classes ----

std::uint32_t FairShares::take_entries(std::size_t count) {
  auto& free = free_entries_[count];
  if (!free.empty()) {
    const std::uint32_t first = free.back();
    free.pop_back();
    return first;
  }
  const auto first = static_cast<std::uint32_t>(entries_.size());
  entries_.resize(entries_.size() + count);
  return first;
}

ClassId FairShares::add(std::span<const LinkId> links, double limit_Bps) {
  TUTTI_CHECK(links.size() < free_entries_.size(), "a route of more than 255 links");
  TUTTI_CHECK(!links.empty() || limit_Bps < no_limit, "a class that nothing limits");
  const ClassId id = classes_.take();
  Class& added = classes_[id];
  added = {};
  added.in_use = true;
  added.limit = limit_Bps;
  added.entry_count = static_cast<std::uint8_t>(links.size());
  added.first_entry = take_entries(links.size());
  for (std::size_t i = 0; i < links.size(); ++i)
    entries_[added.first_entry + i] = {id, links[i], none, none};
  return id;
}

void FairShares::remove(ClassId id) {
  Class& removed = classes_[id];
  TUTTI_CHECK(can_remove(id), "a class is removed that has flows");
  removed.in_use = false;
  free_entries_[removed.entry_count].push_back(removed.first_entry);
  classes_.give_back(id);
}

void FairShares::set_flows(ClassId id, std::uint32_t flows) {
  Class& set = classes_[id];
  set.flows = flows;
  if (set.touched) return;
  set.touched = true;
  touched_.push_back(id);
}

// ---- lists of links ----

void FairShares::list(ClassId id) {
  Class& listed = classes_[id];
  listed.listed = true;
  for (std::uint32_t i = listed.first_entry; i < listed.first_entry + listed.entry_count; ++i) {
    Entry& entry = entries_[i];
    LinkState& link = links_[entry.link];
    entry.previous = none;
    entry.next = link.first == 0 ? none : link.first - 1;
    if (entry.next != none) entries_[entry.next].previous = i;
    link.first = i + 1;
    ++link.classes;
  }
}

void FairShares::unlist(ClassId id) {
  Class& unlisted = classes_[id];
  unlisted.listed = false;
  for (const Entry& entry : entries(unlisted)) {
    LinkState& link = links_[entry.link];
    if (entry.next != none) entries_[entry.next].previous = entry.previous;
    if (entry.previous != none)
      entries_[entry.previous].next = entry.next;
    else
      link.first = entry.next + 1;  // none + 1 is 0
    --link.classes;
  }
}

template <class Visit>
void FairShares::visit_link(const LinkState& link, Visit visit) {
  for (std::uint32_t i = link.first; i != 0; i = entries_[i - 1].next + 1)
    visit(entries_[i - 1].owner, classes_[entries_[i - 1].owner]);
}

// ---- solving ----

std::span<const ClassId> FairShares::solve() {
  ++solves_;
  changed_.clear();
  take_up_touched();
  if (!refilled_.empty() || !felt_.empty()) {
    for (const LinkId link : felt_) refill_felt(link);
    do fill();
    while (extend());
    commit();
  }
  felt_.clear();
  touched_.clear();
  return changed_;
}

// All lists are brought up to date first: whether a class is alone depends on all of them.
void FairShares::take_up_touched() {
  for (const ClassId id : touched_) {
    Class& each = classes_[id];
    if (each.flows > 0 && !each.listed) list(id);
    if (each.flows > 0 || !each.listed) continue;
    hold(each, none);
    take(each, 0, 0);
    unlist(id);
    for (const Entry& entry : entries(each)) feel(entry.link);
  }
  for (const ClassId id : touched_) {
    Class& each = classes_[id];
    if (each.flows == 0 || fill_alone(id)) {
      each.touched = false;
      changed_.push_back(id);
      continue;
    }
    refill(id);
    for (const Entry& entry : entries(each)) feel(entry.link);
  }
}

void FairShares::feel(LinkId id) {
  LinkState& link = links_[id];
  if (link.felt == static_cast<std::uint32_t>(solves_) || link.held == 0) return;
  link.felt = static_cast<std::uint32_t>(solves_);
  felt_.push_back(id);
}

// The common case of a class that shares none of its links.
bool FairShares::fill_alone(ClassId id) {
  Class& alone = classes_[id];
  double rate = alone.limit;
  LinkId bottleneck = none;
  for (const Entry& entry : entries(alone)) {
    const LinkState& link = links_[entry.link];
    if (link.classes > 1) return false;
    const double share = link.capacity_Bps / alone.flows;
    if (share >= rate) continue;
    rate = share;
    bottleneck = entry.link;
  }
  hold(alone, bottleneck);
  take(alone, alone.flows, rate);
  return true;
}

// Gives a class its rate, and its part of its links.
void FairShares::take(Class& taker, std::uint32_t flows, double rate) {
  const double before = taker.taken;
  taker.rate = rate;
  taker.taken = flows * rate;
  for (const Entry& entry : entries(taker)) {
    LinkState& link = links_[entry.link];
    // One class alone takes exactly what it takes: no rounding outlives a link's last but one.
    link.taken = link.classes == 1 ? taker.taken : link.taken + (taker.taken - before);
  }
}

void FairShares::hold(Class& held, LinkId bottleneck) {
  if (held.bottleneck != none) --links_[held.bottleneck].held;
  if (bottleneck != none) ++links_[bottleneck].held;
  held.bottleneck = bottleneck;
}

void FairShares::refill(ClassId id) {
  Class& taken = classes_[id];
  if (taken.state != State::settled) return;
  taken.state = State::open;
  refilled_.push_back(id);
}

// Classes that were held by this link will hardly keep their rates.
void FairShares::refill_felt(LinkId id) {
  visit_link(links_[id], [&](ClassId other, const Class& each) {
    if (each.bottleneck == id) refill(other);
  });
}

FairShares::LinkState& FairShares::look_at(LinkId id) {
  LinkState& link = links_[id];
  if (link.round == round_) return link;
  link.round = round_;
  link.spare = link.capacity_Bps - link.taken;
  link.most = 0;
  link.standing = link.held;
  link.open_flows = link.refilled = link.holds_refilled = 0;
  looked_.push_back(id);
  return link;
}

// Takes the class out of what stands.
void FairShares::look_at_links_of(const Class& refilled) {
  for (const Entry& entry : entries(refilled)) {
    LinkState& link = look_at(entry.link);
    link.spare += refilled.taken;
    link.open_flows += refilled.flows;
    ++link.refilled;
  }
  if (refilled.bottleneck != none) --look_at(refilled.bottleneck).standing;
}

// Progressive filling: all open classes rise together until a link is full, or a limit reached.
void FairShares::fill() {
  ++round_;
  looked_.clear();
  for (const LinkId id : felt_) look_at(id);
  for (const ClassId id : refilled_) look_at_links_of(classes_[id]);
  const auto level_of = [](const LinkState& link) {
    return std::max(0.0, link.spare) / link.open_flows;
  };
  levels_.reset(looked_.size() + refilled_.size());
  for (const LinkId id : looked_)
    if (links_[id].open_flows > 0) levels_.push(level_of(links_[id]), id);
  for (const ClassId id : refilled_)
    if (classes_[id].limit < no_limit) levels_.push(classes_[id].limit, id | is_class);
  for (open_classes_ = refilled_.size(); open_classes_ > 0;) {
    const auto [level, next] = levels_.pop();
    if ((next & is_class) != 0) {
      Class& limited = classes_[next & ~is_class];
      if (limited.state == State::open) settle_rate(limited, limited.limit, none);
      continue;
    }
    const LinkState& link = links_[next];
    if (link.open_flows == 0) continue;
    if (const double risen = level_of(link); risen > level)  // since it was queued
      levels_.push(risen, next);
    else
      fill_link(next, risen);
  }
}

void FairShares::fill_link(LinkId id, double level) {
  LinkState& link = links_[id];
  link.holds_refilled = 1;
  visit_link(link, [&](ClassId, Class& each) {
    if (each.state == State::open) settle_rate(each, level, id);
  });
}

void FairShares::settle_rate(Class& filled, double rate, LinkId bottleneck) {
  --open_classes_;
  filled.state = State::filled;
  filled.new_rate = rate;
  filled.new_bottleneck = bottleneck;
  for (const Entry& entry : entries(filled)) {
    LinkState& link = links_[entry.link];
    link.spare -= filled.flows * rate;
    link.open_flows -= filled.flows;
    link.most = std::max(link.most, rate);
  }
}

// Tests the condition for the classes whose rates stand, on all links that were looked at. Those
// for which it fails join the others; false: there are none.
bool FairShares::extend() {
  const std::size_t before = refilled_.size();
  for (const LinkId id : looked_) {
    const LinkState& link = links_[id];
    if (link.refilled == link.classes) continue;
    const bool is_full = link.spare <= saturated * link.capacity_Bps;
    const bool too_full = link.spare < -saturated * link.capacity_Bps;
    if (link.standing == 0 && !link.holds_refilled && !too_full) continue;
    // A link that holds refilled classes gives none of its refilled ones more than those.
    const double level = link.holds_refilled ? link.most : 0;
    const bool is_bottleneck = link.holds_refilled || too_full;
    visit_link(link, [&](ClassId other, const Class& each) {
      if (each.state != State::settled) return;
      const bool lost_hold = each.bottleneck == id && (!is_full || exceeds(link.most, each.rate));
      const bool must_give = is_bottleneck && exceeds(each.rate, level);
      if (lost_hold || must_give) refill(other);
    });
  }
  if (refilled_.size() == before) return false;
  for (const ClassId id : refilled_) classes_[id].state = State::open;
  return true;
}

void FairShares::commit() {
  for (const ClassId id : refilled_) {
    Class& each = classes_[id];
    each.state = State::settled;
    hold(each, each.new_bottleneck);
    const bool moved = std::abs(each.new_rate - each.rate) > same_result * each.rate;
    take(each, each.flows, moved ? each.new_rate : each.rate);
    if (moved || each.touched) changed_.push_back(id);
    each.touched = false;
  }
  refilled_.clear();
}

}  // namespace tutti::engines
