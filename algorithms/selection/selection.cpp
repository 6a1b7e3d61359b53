// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/selection.hpp"

namespace tutti::algorithms::selection {
Choice Selection::choose(const Query& query) const {
  if (const auto choice = named.find(query.collective); choice != named.end())
    return choice->second;
  if (rules != nullptr) {
    const auto choice = rules->choose(query);
    TUTTI_CHECK(choice, "Selection::wrong has not checked the rules");
    if (*choice) return **choice;
  }
  const auto choice = selection::choose(rule_set, query);
  TUTTI_CHECK(choice, "there is no rule for an inner collective");
  return *choice;
}

std::optional<Error> Selection::wrong(std::span<const std::string_view> collectives,
                                      int procs) const {
  if (rules == nullptr) return std::nullopt;
  return rules->wrong_inside(procs, collectives);
}

}  // namespace tutti::algorithms::selection
