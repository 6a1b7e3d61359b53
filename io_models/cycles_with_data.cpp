// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/cycles_with_data.hpp"

#include <algorithm>

namespace tutti::io_models {
namespace {

// Of one aggregator: cycles next to each other are one part.
void append(const Redistribution& redistribution, int aggregator, std::vector<Extent>& parts) {
  const std::int64_t cycles = redistribution.cycles_of(aggregator);
  const std::size_t own = parts.size();
  for (std::int64_t cycle = redistribution.next_with_data(aggregator, 0); cycle < cycles;
       cycle = redistribution.next_with_data(aggregator, cycle + 1)) {
    if (parts.size() > own && parts.back().end == cycle)
      ++parts.back().end;
    else
      parts.push_back({cycle, cycle + 1});
  }
}

}  // namespace

CyclesWithData::CyclesWithData(const Redistribution& redistribution) {
  if (redistribution.all_have_data()) {
    add(0, redistribution.cycles());
    return;
  }
  std::vector<Extent> parts;
  for (int i = 0; i < redistribution.aggregators(); ++i) append(redistribution, i, parts);
  std::ranges::sort(parts, {}, &Extent::begin);
  for (const Extent& each : parts) add(each.begin, each.end);
}

void CyclesWithData::add(std::int64_t first, std::int64_t end) {
  if (!stretches_.empty() && first <= stretches_.back().end) {
    Stretch& last = stretches_.back();
    count_ += std::max<std::int64_t>(0, end - last.end);
    last.end = std::max(last.end, end);
  } else if (first < end) {
    stretches_.push_back({first, end, count_});
    count_ += end - first;
  }
}

std::int64_t CyclesWithData::at(std::int64_t place) const {
  const auto after = std::ranges::upper_bound(stretches_, place, {}, &Stretch::place);
  return (after - 1)->first + place - (after - 1)->place;
}

}  // namespace tutti::io_models
