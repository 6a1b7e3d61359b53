// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/inside/path_links.hpp"

#include <algorithm>
#include <unordered_map>

namespace tutti::engines {

using platforms::LinkId;

std::vector<PathLink> path_links(const std::vector<PathStep>& steps, const LinkLoads& loads,
                                 std::size_t most) {
  std::unordered_map<LinkId, PathLink> by_link;
  std::vector<LinkId> route;
  for (const PathStep& step : steps) {
    if (step.kind != PathStep::Kind::message || step.bytes == 0) continue;
    loads.links().route(step.source, step.destination, route);
    for (const LinkId link : route) {
      PathLink& found = by_link[link];
      ++found.messages;
      found.flow_s += step.parts[static_cast<std::size_t>(Transit::transfer)] +
                      step.parts[static_cast<std::size_t>(Transit::sharing)];
    }
  }
  std::vector<PathLink> all;
  for (auto& [link, found] : by_link) {
    found.load = loads.of(link);
    all.push_back(found);
  }
  const auto full_s = [&](const PathLink& each) {  // the time that its bytes need at least
    return static_cast<double>(each.load.bytes) / loads.links().link(each.load.link).bandwidth_Bps;
  };
  std::sort(all.begin(), all.end(), [&](const PathLink& a, const PathLink& b) {
    return std::pair(-full_s(a), a.load.link) < std::pair(-full_s(b), b.load.link);
  });
  all.resize(std::min(all.size(), most));
  return all;
}

}  // namespace tutti::engines
