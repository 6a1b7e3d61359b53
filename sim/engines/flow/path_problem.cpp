// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/path_problem.hpp"

namespace tutti::engines {

void PathProblem::clear() {
  capacity.clear();
  uses.clear();
  columns.clear();
  classes.clear();
}

void PathProblem::add_class(double flows, double limit) {
  const auto next = static_cast<std::uint32_t>(columns.size());
  classes.push_back({flows, limit, next, next, next});
}

void PathProblem::add_column(std::span<const Use> links, bool is_preferred) {
  const auto first = static_cast<std::uint32_t>(uses.size());
  for (const Use& each : links) {
    const auto same = std::find_if(uses.begin() + first, uses.end(),
                                   [&](const Use& use) { return use.link == each.link; });
    if (same != uses.end())
      same->weight += each.weight;
    else
      uses.push_back(each);
  }
  columns.push_back({first, static_cast<std::uint32_t>(uses.size()),
                     static_cast<std::uint32_t>(classes.size() - 1)});
  ++classes.back().end_column;
  if (is_preferred) classes.back().end_preferred = classes.back().end_column;
}

}  // namespace tutti::engines
