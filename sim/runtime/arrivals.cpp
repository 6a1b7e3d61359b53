// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/arrivals.hpp"

namespace tutti::runtime {

namespace {

Seconds earliest(const std::set<Arrivals::Arrival>& arrivals) {
  return arrivals.empty() ? never : arrivals.begin()->time_s;
}

// Visits only the first message of each time: many messages may arrive at exactly the same time,
// but few different times are within the tie window.
template <class IsWanted>
void take_least(std::set<Arrivals::Arrival>& arrivals, Seconds until_s, IsWanted is_wanted,
                std::optional<MatchKey>& least) {
  constexpr auto last = std::numeric_limits<std::int32_t>::max();
  for (auto at = arrivals.begin(); at != arrivals.end() && at->time_s <= until_s;) {
    if (!is_wanted(at->key)) {
      at = arrivals.erase(at);
      continue;
    }
    if (!least || at->key < *least) least = at->key;
    at = arrivals.upper_bound({at->time_s, {last, last}, no_record});
  }
}

}  // namespace

void Arrivals::add(const Arrival& arrival, Seconds now_s) {
  by_tag_[arrival.key.tag].insert(arrival);
  if (arrival.time_s > now_s) coming_.insert(arrival);
  if (is_posted_({any_source, arrival.key.tag})) want_tag(arrival.key.tag);
  if (is_posted_(arrival.key)) want(arrival);
}

void Arrivals::remove(const Arrival& arrival) {
  const auto same_tag = by_tag_.find(arrival.key.tag);
  same_tag->second.erase(arrival);
  if (same_tag->second.empty()) by_tag_.erase(same_tag);
  coming_.erase(arrival);
  named_.erase(arrival);
}

Seconds Arrivals::earliest_with(std::int32_t tag) const {
  const auto same_tag = by_tag_.find(tag);
  return same_tag == by_tag_.end() ? never : earliest(same_tag->second);
}

Seconds Arrivals::earliest_after(Seconds now_s) {
  while (earliest(coming_) <= now_s) coming_.erase(coming_.begin());
  return earliest(coming_);
}

// The earliest wanted arrival. Removes outdated entries that it meets.
Seconds Arrivals::earliest_wanted() {
  std::erase_if(wanted_tags_, [&](std::int32_t tag) {
    return !by_tag_.contains(tag) || !is_posted_({any_source, tag});
  });
  while (!named_.empty() && !is_posted_(named_.begin()->key)) named_.erase(named_.begin());
  Seconds time_s = earliest(named_);
  for (const std::int32_t tag : wanted_tags_) time_s = std::min(time_s, earliest_with(tag));
  return time_s;
}

std::optional<MatchKey> Arrivals::first(Seconds now_s) {
  const Seconds first_s = earliest_wanted();
  if (first_s > now_s) return std::nullopt;
  const Seconds until_s = std::min(after_ties(first_s), now_s);
  std::optional<MatchKey> least;
  take_least(named_, until_s, is_posted_, least);
  for (const std::int32_t tag : wanted_tags_)
    take_least(
        by_tag_[tag], until_s, [](MatchKey) { return true; }, least);
  return least;
}

}  // namespace tutti::runtime
