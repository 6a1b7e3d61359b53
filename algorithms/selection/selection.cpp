// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/selection.hpp"

#include "sim/base/check.hpp"

namespace tutti::algorithms::selection {

Choice Selection::choose(const Query& query) const {
  if (const auto found = named.find(query.collective); found != named.end()) return found->second;
  if (rules != nullptr) {
    const auto choice = rules->choose(query);
    TUTTI_CHECK(choice, "rules that Selection::wrong has not seen");
    if (*choice) return **choice;
  }
  const auto choice = selection::choose(rule_set, query);
  TUTTI_CHECK(choice, "no rule for a collective that another one calls");
  return *choice;
}

std::optional<Error> Selection::wrong(std::span<const std::string_view> collectives,
                                      int procs) const {
  if (rules == nullptr) return std::nullopt;
  return rules->wrong_inside(procs, collectives);
}

}  // namespace tutti::algorithms::selection
