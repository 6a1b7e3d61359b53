// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/path_problem.hpp"

namespace tutti::engines {

void PathProblem::clear() {
  capacity.clear();
  trunk_links.clear();
  uses.clear();
  columns.clear();
  classes.clear();
}

void PathProblem::add_class(double flows, double limit, std::span<const std::uint32_t> trunk) {
  const auto next = static_cast<std::uint32_t>(columns.size());
  const auto first = static_cast<std::uint32_t>(trunk_links.size());
  trunk_links.insert(trunk_links.end(), trunk.begin(), trunk.end());
  classes.push_back(
      {flows, limit, next, next, next, first, static_cast<std::uint32_t>(trunk_links.size())});
}

void PathProblem::add_column(std::span<const Use> links, bool is_preferred) {
  const auto first = uses.size();
  for (const Use& added : links) {
    const auto same = std::find_if(uses.begin() + static_cast<std::ptrdiff_t>(first), uses.end(),
                                   [&](const Use& use) { return use.link == added.link; });
    if (same != uses.end())
      same->weight += added.weight;
    else
      uses.push_back(added);
  }
  end_column(first, is_preferred);
}

void PathProblem::end_column(std::size_t first_use, bool is_preferred) {
  columns.push_back({static_cast<std::uint32_t>(first_use), static_cast<std::uint32_t>(uses.size()),
                     static_cast<std::uint32_t>(classes.size() - 1)});
  ++classes.back().end_column;
  if (is_preferred) classes.back().end_preferred = classes.back().end_column;
}

PathProblem PathProblem::without_trunks() const {
  PathProblem whole;
  whole.capacity = capacity;
  std::vector<Use> column;
  for (const Class& owner : classes) {
    whole.add_class(owner.flows, owner.limit);
    for (auto number = owner.first_column; number < owner.end_column; ++number) {
      column.assign(uses_of(number).begin(), uses_of(number).end());
      for (const std::uint32_t link : trunk_of(owner)) column.push_back({link, 1});
      whole.add_column(column, number < owner.end_preferred);
    }
  }
  return whole;
}

}  // namespace tutti::engines
