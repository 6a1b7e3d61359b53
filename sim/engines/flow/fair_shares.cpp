// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/fair_shares.hpp"

namespace tutti::engines {

namespace {

// A link is saturated if at most this fraction of its capacity is left.
constexpr double saturated = 1e-11;
// A rate that changes by less is not updated.
constexpr double same_result = 1e-14;

}  // namespace

// ---- classes ----

std::uint32_t FairShares::take_entries(std::size_t count) {
  if (count >= free_entries_.size()) free_entries_.resize(count + 1);
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
  TUTTI_CHECK(!links.empty() || limit_Bps < no_limit, "a class needs a link or a limit");
  const ClassId id = classes_.take();
  Class& added = classes_[id];
  added = {};
  added.in_use = true;
  added.limit = limit_Bps;
  added.entry_count = static_cast<std::uint32_t>(links.size());
  added.first_entry = take_entries(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) entries_[added.first_entry + i] = {links[i], 0};
  if (id >= marks_.size()) marks_.resize(id + 1);
  marks_[id] = {};
  return id;
}

void FairShares::remove(ClassId id) {
  Class& removed = classes_[id];
  TUTTI_CHECK(removed.flows == 0, "a removed class must not have flows");
  if (removed.listed) leave(id);
  removed.in_use = false;
  free_entries_[removed.entry_count].push_back(removed.first_entry);
  classes_.give_back(id);
}

void FairShares::set_flows(ClassId id, std::uint32_t flows) {
  classes_[id].flows = flows;
  if (!std::exchange(marks_[id].touched, true)) touched_.push_back(id);
}

// ---- lists of links ----

// Adds the class to the lists of its links; a member only to those that are not its bundle's.
void FairShares::list(ClassId id) {
  Class& listed = classes_[id];
  listed.listed = true;
  for (Entry& entry : entries(listed)) {
    LinkState& link = links_[entry.link];
    if (link.capacity_Bps == 0) look_up_capacity(entry.link);
    if (is_member(listed)) {
      if (link.bundling == Bundling::joint) continue;
      mark_guest(link, id, listed.bundle);
    } else if (link.bundling == Bundling::sole) {
      link.bundling = Bundling::none;
    }
    entry.place = lists_.add(link.list, id);
    ++link.classes;
  }
}

void FairShares::look_up_capacity(LinkId id) {
  TUTTI_CHECK(capacity_of_ != nullptr, "a link has no capacity");
  links_[id].capacity_Bps = capacity_of_(id);
}

void FairShares::unlist(ClassId id) {
  Class& unlisted = classes_[id];
  unlisted.listed = false;
  for (const Entry& entry : entries(unlisted)) {
    LinkState& link = links_[entry.link];
    if (is_member(unlisted) && link.bundling == Bundling::joint) continue;
    lists_.remove(link.list, entry.place, [&](ClassId other, auto from, auto to) {
      for (Entry& moved : entries(classes_[other]))
        if (moved.link == entry.link && moved.place == from) moved.place = to;
    });
    --link.classes;
  }
}

// Releases the capacity of a class without flows, and marks its links whose other classes may rise.
void FairShares::leave(ClassId id) {
  Class& left = classes_[id];
  if (is_member(left)) return quit(id);
  hold(id, none);
  take(left, 0, 0);
  unlist(id);
  for (const Entry& entry : entries(left))
    if (links_[entry.link].held > 0) felt_.push_back(entry.link);
}

// ---- solving ----

// Prefetches data of the i-th class and the following ones for a loop over the classes and their
// links.
void FairShares::prefetch(const std::vector<ClassId>& ids, std::size_t i) const {
  if (i + 18 < ids.size()) __builtin_prefetch(&classes_[ids[i + 18]], 1);
  if (i + 12 < ids.size())
    __builtin_prefetch(entries_.data() + classes_[ids[i + 12]].first_entry, 1);
  if (i + 6 < ids.size())
    for (const Entry& entry : entries(classes_[ids[i + 6]]))
      __builtin_prefetch(&links_[entry.link], 1);
}

// The same for a filling, which uses the fillings of links of several classes.
void FairShares::prefetch_filling(const std::vector<ClassId>& ids, std::size_t i) const {
  prefetch(ids, i);
  if (i + 2 < ids.size())
    for (const Entry& entry : entries(classes_[ids[i + 2]]))
      if (links_[entry.link].classes > 1) __builtin_prefetch(&fillings_[entry.link], 1);
}

FairShares::Changes FairShares::solve() {
  ++solves_;
  filled_classes_ = 0;
  changed_.clear();
  left_.clear();
  dissolved_.clear();
  changed_bundles_.clear();
  list_touched();
  if (bundles_.in_use() > 0) serve_members();
  solve_touched();
  settle_bundles();
  if (!candidates_.empty()) form_bundles();
  for (const FlowBundleId id : changed_bundles_) bundles_[id].reported = false;
  for (const Changes::Left& each : left_) changed_.push_back(each.id);
  free_retired();
  felt_.clear();
  touched_.clear();
  return {left_, dissolved_, changed_, changed_bundles_};
}

// Updates all lists before the solve, because whether a class is alone depends on all of them.
// Members of bundles are not touched any more, but the variables of these are.
void FairShares::list_touched() {
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    prefetch(touched_, i);
    const ClassId id = touched_[i];
    Class& each = classes_[id];
    if (each.flows == 0) {
      marks_[id].touched = false;
      if (each.listed) leave(id);
      continue;
    }
    if (!each.listed && (bundles_.in_use() == 0 || !join(id))) list(id);
    if (!is_member(each) || !std::exchange(marks_[id].touched, false)) continue;
    count(each);
    touch(each.bundle);  // although its level may not change, the next end of a member may
    changed_.push_back(id);
  }
  if (bundles_.in_use() > 0) drop_empty_variables();
}

// Members may have left their variables after these were visited.
void FairShares::drop_empty_variables() {
  for (const ClassId id : touched_) {
    const Class& each = classes_[id];
    if (!each.is_variable || each.flows > 0 || !std::exchange(marks_[id].touched, false)) continue;
    if (each.listed) leave(id);
  }
}

// Solves each group of classes that are connected by shared links separately: for a step of
// thousands of messages this means many small fillings instead of a large one. Groups that are
// extended by settled classes may reach the same ones; so after the first extension, the remaining
// groups are solved together.
void FairShares::solve_touched() {
  bool apart = true;
  for (std::size_t i = 0; i < touched_.size(); ++i) {  // variables of bundles may be added
    prefetch(touched_, i);
    const ClassId id = touched_[i];
    Mark& mark = marks_[id];
    if (!mark.touched || mark.state != State::settled) continue;
    if (fill_alone(id)) {
      mark.touched = false;
      note_changed(id);
      continue;
    }
    refill(id);
    gather_around_refilled();
    if (apart) apart = solve_refilled();
  }
  for (const LinkId link : felt_) gather(link);
  gather_around_refilled();
  solve_refilled();
}

// Solves the common case of a class that shares none of its links.
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
  hold(id, bottleneck);
  take(alone, alone.flows, rate);
  return true;
}

// Adds the class to the changed ones, or its bundle if it is its variable.
void FairShares::note_changed(ClassId id) {
  if (classes_[id].is_variable)
    touch(classes_[id].bundle);
  else
    changed_.push_back(id);
}

void FairShares::refill(ClassId id) {
  Mark& taken = marks_[id];
  if (taken.state != State::settled || is_member(classes_[id])) return;
  taken.state = State::open;
  refilled_.push_back(id);
  if (taken.bottleneck != none) --links_[taken.bottleneck].held;
}

// For a link whose classes have changed, refills these classes, and those whose bottleneck it is,
// because their rates will probably change.
void FairShares::gather(LinkId id) {
  ++looks_;
  LinkState& link = links_[id];
  if (link.classes == 1) return refill(lists_.newest(link.list));
  LinkFilling& filling = fillings_[id];
  if (filling.gathered == static_cast<std::uint32_t>(solves_)) return;
  filling.gathered = static_cast<std::uint32_t>(solves_);
  visit_link(link, [&](ClassId other) {
    if (marks_[other].touched || marks_[other].bottleneck == id) refill(other);
  });
}

void FairShares::gather_around_refilled() {
  for (; gathered_ < refilled_.size(); ++gathered_) {
    const ClassId id = refilled_[gathered_];
    if (!marks_[id].touched) continue;
    prefetch_filling(refilled_, gathered_);
    for (const Entry& entry : entries(classes_[id])) gather(entry.link);
  }
}

// False if other classes had to be added.
bool FairShares::solve_refilled() {
  if (refilled_.empty()) return true;
  bool enough = true;
  for (fill(); extend(); fill()) enough = false;
  commit();
  return enough;
}

// Sets the rate of a class, and updates the used capacity of its links.
void FairShares::take(Class& taker, std::uint32_t flows, double rate) {
  const double before = taker.counted * taker.rate;
  const double after = flows * rate;
  taker.rate = rate;
  taker.counted = flows;
  for (const Entry& entry : entries(taker)) {
    LinkState& link = links_[entry.link];
    // With a single class the value is exact, which removes accumulated rounding errors.
    link.taken = link.classes == 1 ? after : link.taken + (after - before);
  }
}

void FairShares::hold(ClassId id, LinkId bottleneck) {
  Mark& held = marks_[id];
  if (held.bottleneck != none) --links_[held.bottleneck].held;
  if (bottleneck != none) ++links_[bottleneck].held;
  held.bottleneck = bottleneck;
}

FairShares::LinkFilling& FairShares::look_at(LinkId id) {
  LinkFilling& filling = fillings_[id];
  if (filling.round == round_) return filling;
  const LinkState& link = links_[id];
  filling.round = round_;
  filling.spare = link.capacity_Bps - link.taken;
  filling.most = 0;
  filling.open_flows = filling.refilled = filling.holds_refilled = 0;
  looked_.push_back(id);
  return filling;
}

// Removes the class from the settled ones, and prepares its links for the filling.
void FairShares::look_at_links_of(Class& refilled) {
  refilled.own_limit = refilled.limit;
  refilled.new_bottleneck = none;
  for (const Entry& entry : entries(refilled)) {
    const LinkState& alone = links_[entry.link];
    if (alone.classes == 1) {
      const double share = alone.capacity_Bps / refilled.flows;
      if (share >= refilled.own_limit) continue;
      refilled.own_limit = share;
      refilled.new_bottleneck = entry.link;
      continue;
    }
    LinkFilling& filling = look_at(entry.link);
    filling.spare += refilled.counted * refilled.rate;
    filling.open_flows += refilled.flows;
    ++filling.refilled;
  }
}

// Progressive filling: all open classes rise together until a link is saturated or a limit reached.
void FairShares::fill() {
  ++round_;
  looked_.clear();
  full_.clear();
  for (std::size_t i = 0; i < refilled_.size(); ++i) {
    prefetch_filling(refilled_, i);
    look_at_links_of(classes_[refilled_[i]]);
  }
  const auto level_of = [](const LinkFilling& filling) {
    return std::max(0.0, filling.spare) / filling.open_flows;
  };
  levels_.reset(looked_.size() + refilled_.size());
  for (const LinkId id : looked_) levels_.push(level_of(fillings_[id]), id);
  for (const ClassId id : refilled_)
    if (classes_[id].own_limit < no_limit) levels_.push(classes_[id].own_limit, id | is_class);
  filled_classes_ += refilled_.size();
  for (open_classes_ = refilled_.size(); open_classes_ > 0;) {
    TUTTI_CHECK(!levels_.empty(), "a limit or a full link stops each class");
    const auto [level, next] = levels_.pop();
    if ((next & is_class) != 0) {
      const ClassId id = next & ~is_class;
      if (marks_[id].state == State::open)
        settle_rate(id, classes_[id].own_limit, classes_[id].new_bottleneck);
      continue;
    }
    const LinkFilling& filling = fillings_[next];
    if (filling.open_flows == 0) continue;
    if (const double risen = level_of(filling); risen > level)  // it has risen since it was queued
      levels_.push(risen, next);
    else
      fill_link(next, risen);
  }
}

void FairShares::fill_link(LinkId id, double level) {
  const std::size_t before = open_classes_;
  fillings_[id].holds_refilled = 1;
  visit_link(links_[id], [&](ClassId other) {
    if (marks_[other].state == State::open) settle_rate(other, level, id);
  });
  if (before - open_classes_ >= rules_.least) full_.push_back(id);
}

void FairShares::settle_rate(ClassId id, double rate, LinkId bottleneck) {
  --open_classes_;
  marks_[id].state = State::filled;
  Class& filled = classes_[id];
  filled.new_rate = rate;
  filled.new_bottleneck = bottleneck;
  for (const Entry& entry : entries(filled)) {
    if (links_[entry.link].classes == 1) continue;
    LinkFilling& filling = fillings_[entry.link];
    filling.spare -= filled.flows * rate;
    filling.open_flows -= filled.flows;
    filling.most = std::max(filling.most, rate);
  }
}

// Tests the condition for the settled classes on all visited links. Adds those that violate it to
// the refilled ones; false if there are none.
bool FairShares::extend() {
  const std::size_t before = refilled_.size();
  for (const LinkId id : looked_) extend_on(id);
  const bool has_moved = contend_for_crowded();
  if (refilled_.size() == before && !has_moved) return false;
  for (const ClassId id : refilled_) marks_[id].state = State::open;
  return true;
}

void FairShares::extend_on(LinkId id) {
  const LinkState& link = links_[id];
  const LinkFilling& filling = fillings_[id];
  if (filling.refilled == link.classes) return;
  const bool is_full = filling.spare <= saturated * link.capacity_Bps;
  const bool too_full = filling.spare < -saturated * link.capacity_Bps;
  if (link.held == 0 && !filling.holds_refilled && !too_full) return;
  // On the bottleneck link of refilled classes, no refilled class has a higher rate than those.
  const double level = filling.holds_refilled ? filling.most : 0;
  const bool is_bottleneck = filling.holds_refilled || too_full;
  visit_link(link, [&](ClassId other) {
    const Mark& mark = marks_[other];
    if (mark.state != State::settled) return;
    const bool may_fail = is_bottleneck || mark.bottleneck == id;
    if (!may_fail) return;
    const Class& each = classes_[other];
    // A member of a bundle uses at most its reservation here.
    if (is_member(each)) return crowded_.push_back(id);
    const bool lost_hold = mark.bottleneck == id && (!is_full || exceeds(filling.most, each.rate));
    const bool must_give = is_bottleneck && exceeds(each.rate, level);
    if (lost_hold || must_give) refill(other);
  });
}

void FairShares::commit() {
  for (const ClassId id : refilled_) {
    Class& each = classes_[id];
    Mark& mark = marks_[id];
    mark.state = State::settled;
    mark.bottleneck = each.new_bottleneck;
    if (mark.bottleneck != none) ++links_[mark.bottleneck].held;
    const bool moved = std::abs(each.new_rate - each.rate) > same_result * each.rate;
    take(each, each.flows, moved ? each.new_rate : each.rate);
    if (moved || mark.touched) note_changed(id);
    mark.touched = false;
  }
  refilled_.clear();
  gathered_ = 0;
  candidates_.insert(candidates_.end(), full_.begin(), full_.end());
}

}  // namespace tutti::engines
