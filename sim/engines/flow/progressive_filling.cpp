// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/progressive_filling.hpp"

namespace tutti::engines {

namespace {

// A link is saturated if at most this fraction of its capacity is left.
constexpr double saturated = 1e-11;

// Rates are equal within the rounding error of sums over thousands of classes.
bool exceeds(double rate, double other) { return rate > other * (1 + 1e-12); }

}  // namespace

void ProgressiveFilling::begin_solve() {
  ++solves_;
  filled_classes_ = 0;
}

bool ProgressiveFilling::fill_alone(ClassId id) {
  Class& alone = classes()[id];
  double rate = alone.limit;
  LinkId bottleneck = none;
  for (const Entry& entry : classes().entries(alone)) {
    const Link& link = classes().link(entry.link);
    if (link.classes > 1) return false;
    const double share = link.capacity_Bps / alone.flows;
    if (share >= rate) continue;
    rate = share;
    bottleneck = entry.link;
  }
  classes().hold(id, bottleneck);
  classes().take(alone, alone.flows, rate);
  return true;
}

void ProgressiveFilling::release(ClassId id) {
  Class& released = classes()[id];
  classes().hold(id, none);
  classes().take(released, 0, 0);
  classes().unlist(id);
  for (const Entry& entry : classes().entries(released))
    if (classes().link(entry.link).held > 0) released_.push_back(entry.link);
}

// ---- the classes that are refilled ----

void ProgressiveFilling::refill(ClassId id) {
  Mark& mark = classes().mark(id);
  if (mark.state != State::settled || classes()[id].is_member()) return;
  mark.state = State::open;
  refilled_.push_back(id);
  if (mark.bottleneck != none) --classes().link(mark.bottleneck).held;
}

void ProgressiveFilling::withdraw(ClassId id) {
  Mark& mark = classes().mark(id);
  if (mark.state == State::settled) return;
  const auto at = std::ranges::find(refilled_, id);
  if (static_cast<std::size_t>(at - refilled_.begin()) < gathered_) --gathered_;
  refilled_.erase(at);
  mark.bottleneck = none;
}

// For a link whose classes have changed, refills these classes, and those whose bottleneck it is,
// because their rates will probably change.
void ProgressiveFilling::gather(LinkId id) {
  ++looks_;
  const Link& link = classes().link(id);
  if (link.classes == 1) return refill(classes().newest(link));
  LinkFilling& filling = fillings_[id];
  if (filling.gathered == static_cast<std::uint32_t>(solves_)) return;
  filling.gathered = static_cast<std::uint32_t>(solves_);
  classes().visit(link, [&](ClassId other) {
    const Mark& mark = classes().mark(other);
    if (mark.touched || mark.bottleneck == id) refill(other);
  });
}

void ProgressiveFilling::gather_around_refilled() {
  for (; gathered_ < refilled_.size(); ++gathered_) {
    const ClassId id = refilled_[gathered_];
    if (!classes().mark(id).touched) continue;
    prefetch(refilled_, gathered_);
    for (const Entry& entry : classes().entries(classes()[id])) gather(entry.link);
  }
}

void ProgressiveFilling::gather_around_released() {
  for (const LinkId link : released_) gather(link);
  released_.clear();
  gather_around_refilled();
}

// Prefetches data of the i-th class and the following ones, with the fillings of their links.
void ProgressiveFilling::prefetch(const std::vector<ClassId>& ids, std::size_t i) const {
  classes().prefetch(ids, i);
  if (i + 2 < ids.size())
    for (const Entry& entry : classes().entries(classes()[ids[i + 2]]))
      if (classes().link(entry.link).classes > 1) __builtin_prefetch(&fillings_[entry.link], 1);
}

// ---- filling ----

ProgressiveFilling::LinkFilling& ProgressiveFilling::visit_link(LinkId id) {
  LinkFilling& filling = fillings_[id];
  if (filling.round == round_) return filling;
  const Link& link = classes().link(id);
  filling.round = round_;
  filling.spare = link.capacity_Bps - link.taken;
  filling.most = 0;
  filling.open_flows = filling.refilled = filling.holds_refilled = 0;
  visited_.push_back(id);
  return filling;
}

// Removes the class from the settled ones, and prepares its links for the filling.
void ProgressiveFilling::visit_links_of(Class& refilled) {
  refilled.own_limit = refilled.limit;
  refilled.new_bottleneck = none;
  for (const Entry& entry : classes().entries(refilled)) {
    const Link& link = classes().link(entry.link);
    if (link.classes == 1) {
      const double share = link.capacity_Bps / refilled.flows;
      if (share >= refilled.own_limit) continue;
      refilled.own_limit = share;
      refilled.new_bottleneck = entry.link;
      continue;
    }
    LinkFilling& filling = visit_link(entry.link);
    filling.spare += refilled.counted * refilled.rate;
    filling.open_flows += refilled.flows;
    ++filling.refilled;
  }
}

void ProgressiveFilling::fill() {
  ++round_;
  visited_.clear();
  full_.clear();
  for (std::size_t i = 0; i < refilled_.size(); ++i) {
    prefetch(refilled_, i);
    visit_links_of(classes()[refilled_[i]]);
  }
  levels_.reset(visited_.size() + refilled_.size());
  for (const LinkId id : visited_) levels_.push(fillings_[id].level(), id);
  for (const ClassId id : refilled_)
    if (classes()[id].own_limit < no_limit) levels_.push(classes()[id].own_limit, id | is_class);
  filled_classes_ += refilled_.size();
  for (open_classes_ = refilled_.size(); open_classes_ > 0;) {
    TUTTI_CHECK(!levels_.empty(), "a limit or a full link stops each class");
    const auto [level, next] = levels_.pop();
    if ((next & is_class) != 0) {
      const ClassId id = next & ~is_class;
      if (classes().mark(id).state == State::open)
        set_rate(id, classes()[id].own_limit, classes()[id].new_bottleneck);
      continue;
    }
    const LinkFilling& filling = fillings_[next];
    if (filling.open_flows == 0) continue;
    if (const double risen = filling.level(); risen > level)  // it has risen since it was queued
      levels_.push(risen, next);
    else
      fill_link(next, risen);
  }
}

void ProgressiveFilling::fill_link(LinkId id, double level) {
  const std::size_t before = open_classes_;
  fillings_[id].holds_refilled = 1;
  classes().visit(classes().link(id), [&](ClassId other) {
    if (classes().mark(other).state == State::open) set_rate(other, level, id);
  });
  if (before - open_classes_ >= many_) full_.push_back(id);
}

void ProgressiveFilling::set_rate(ClassId id, double rate, LinkId bottleneck) {
  --open_classes_;
  classes().mark(id).state = State::filled;
  Class& filled = classes()[id];
  filled.new_rate = rate;
  filled.new_bottleneck = bottleneck;
  for (const Entry& entry : classes().entries(filled)) {
    if (classes().link(entry.link).classes == 1) continue;
    LinkFilling& filling = fillings_[entry.link];
    filling.spare -= filled.flows * rate;
    filling.open_flows -= filled.flows;
    filling.most = std::max(filling.most, rate);
  }
}

// ---- the condition ----

void ProgressiveFilling::extend(std::vector<LinkId>& crowded) {
  for (const LinkId id : visited_) extend_on(id, crowded);
}

void ProgressiveFilling::extend_on(LinkId id, std::vector<LinkId>& crowded) {
  const Link& link = classes().link(id);
  const LinkFilling& filling = fillings_[id];
  if (filling.refilled == link.classes) return;
  const bool is_full = filling.spare <= saturated * link.capacity_Bps;
  const bool too_full = filling.spare < -saturated * link.capacity_Bps;
  if (link.held == 0 && !filling.holds_refilled && !too_full) return;
  // On the bottleneck link of refilled classes, no refilled class has a higher rate than those.
  const double level = filling.holds_refilled ? filling.most : 0;
  const bool is_bottleneck = filling.holds_refilled || too_full;
  classes().visit(link, [&](ClassId other) {
    const Mark& mark = classes().mark(other);
    if (mark.state != State::settled) return;
    const bool may_fail = is_bottleneck || mark.bottleneck == id;
    if (!may_fail) return;
    const Class& settled = classes()[other];
    // A member of a bundle uses at most its reservation here.
    if (settled.is_member()) return crowded.push_back(id);
    const bool lost_hold =
        mark.bottleneck == id && (!is_full || exceeds(filling.most, settled.rate));
    const bool must_give = is_bottleneck && exceeds(settled.rate, level);
    if (lost_hold || must_give) refill(other);
  });
}

void ProgressiveFilling::reopen() {
  for (const ClassId id : refilled_) classes().mark(id).state = State::open;
}

}  // namespace tutti::engines
