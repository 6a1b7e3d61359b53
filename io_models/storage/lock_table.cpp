// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/lock_table.hpp"

#include <algorithm>
#include <iterator>

namespace tutti::io_models {

int LockTable::take(runtime::RankId holder, LockUnits units) {
  auto at = ranges_.upper_bound(units.first);
  if (at != ranges_.begin() && std::prev(at)->second.last >= units.first) --at;
  int called_back = 0;
  while (at != ranges_.end() && at->first <= units.last) {
    const auto [first, range] = *at;
    called_back += range.holder != holder;
    at = ranges_.erase(at);
    if (first < units.first) ranges_[first] = {units.first - 1, range.holder};
    if (range.last > units.last) ranges_[units.last + 1] = range;
  }
  join(ranges_.insert_or_assign(units.first, Range{units.last, holder}).first);
  return called_back;
}

// With the holder's ranges right before and right after.
void LockTable::join(Ranges::iterator range) {
  const auto touches = [](Ranges::iterator low, Ranges::iterator high) {
    return low->second.holder == high->second.holder && low->second.last + 1 == high->first;
  };
  const auto next = std::next(range);
  if (next != ranges_.end() && touches(range, next)) {
    range->second.last = next->second.last;
    ranges_.erase(next);
  }
  if (range == ranges_.begin()) return;
  const auto previous = std::prev(range);
  if (!touches(previous, range)) return;
  previous->second.last = range->second.last;
  ranges_.erase(range);
}

}  // namespace tutti::io_models
