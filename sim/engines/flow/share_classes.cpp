// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/share_classes.hpp"

namespace tutti::engines {

std::uint32_t ShareClasses::take_entries(std::size_t count) {
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

ClassId ShareClasses::add(std::span<const LinkId> links, double limit_Bps) {
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

void ShareClasses::remove(ClassId id) {
  Class& removed = classes_[id];
  removed.in_use = false;
  free_entries_[removed.entry_count].push_back(removed.first_entry);
  classes_.give_back(id);
}

void ShareClasses::list(ClassId id) {
  Class& listed = classes_[id];
  listed.listed = true;
  for (Entry& entry : entries(listed)) {
    Link& link = links_[entry.link];
    if (link.capacity_Bps == 0) look_up_capacity(entry.link);
    if (listed.is_member()) {
      if (link.is_joint()) continue;
      mark_guest(link, id, listed.bundle);
    } else if (link.bundling == Bundling::sole) {
      link.bundling = Bundling::none;
    }
    entry.place = lists_.add(link.list, id);
    ++link.classes;
  }
}

void ShareClasses::look_up_capacity(LinkId id) {
  TUTTI_CHECK(capacity_of_ != nullptr, "a link has no capacity");
  links_[id].capacity_Bps = capacity_of_(id);
}

// Updates the relation between the link and bundles before a member of `bundle` is listed on it.
void ShareClasses::mark_guest(Link& link, ClassId id, FlowBundleId bundle) {
  const bool comes_twice = link.classes > 0 && newest(link) == id;
  const bool is_same = link.bundling == Bundling::sole && link.bundle == bundle;
  link.bundling = (link.classes == 0 || is_same) && !comes_twice ? Bundling::sole : Bundling::none;
  link.bundle = bundle;
}

void ShareClasses::unlist(ClassId id) {
  Class& unlisted = classes_[id];
  unlisted.listed = false;
  for (const Entry& entry : entries(unlisted)) {
    Link& link = links_[entry.link];
    if (unlisted.is_member() && link.is_joint()) continue;
    lists_.remove(link.list, entry.place, [&](ClassId other, auto from, auto to) {
      for (Entry& moved : entries(classes_[other]))
        if (moved.link == entry.link && moved.place == from) moved.place = to;
    });
    --link.classes;
  }
}

void ShareClasses::take(Class& taker, std::uint32_t flows, double rate) {
  const double before = taker.counted * taker.rate;
  const double after = flows * rate;
  taker.rate = rate;
  taker.counted = flows;
  for (const Entry& entry : entries(taker)) {
    Link& link = links_[entry.link];
    // With a single class the value is exact, which removes accumulated rounding errors.
    link.taken = link.classes == 1 ? after : link.taken + (after - before);
  }
}

void ShareClasses::hold(ClassId id, LinkId bottleneck) {
  Mark& held = marks_[id];
  if (held.bottleneck != none) --links_[held.bottleneck].held;
  if (bottleneck != none) ++links_[bottleneck].held;
  held.bottleneck = bottleneck;
}

void ShareClasses::prefetch(const std::vector<ClassId>& ids, std::size_t i) const {
  if (i + 18 < ids.size()) __builtin_prefetch(&classes_[ids[i + 18]], 1);
  if (i + 12 < ids.size())
    __builtin_prefetch(entries_.data() + classes_[ids[i + 12]].first_entry, 1);
  if (i + 6 < ids.size())
    for (const Entry& entry : entries(classes_[ids[i + 6]]))
      __builtin_prefetch(&links_[entry.link], 1);
}

}  // namespace tutti::engines
