// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/frames.hpp"

#include <fnmatch.h>

namespace tutti::studies::replay {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return !pattern.empty() && ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace

PartsOfRegions::PartsOfRegions(const Hypothesis& hypothesis,
                               const std::vector<workloads::traces::TraceRegion>& regions)
    : regions_(regions.size()) {
  std::size_t number = 0;
  const auto add = [&](Parts& kind, const std::string& region, const std::string& within,
                       const std::string& inner) {
    TUTTI_CHECK(number < most_parts, "few parts");
    const Parts bit = Parts{1} << number++;
    kind |= bit;
    if (within.empty()) without_within_ |= bit;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      if (matches(region, regions[i].name)) regions_[i].is_region |= bit;
      if (matches(within, regions[i].name)) regions_[i].is_within |= bit;
      if (matches(inner, regions[i].name)) regions_[i].is_inner |= bit;
    }
  };
  for (const auto& each : hypothesis.scales) add(scales_, each.region, each.within, each.inner);
  for (const auto& each : hypothesis.balances) add(balances_, each.region, each.within, "");
  for (const auto& each : hypothesis.cuts)
    add(each.region.empty() ? messages_ : cuts_, each.region, each.within, "");
}

}  // namespace tutti::studies::replay
