// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/searches.hpp"

namespace tutti::studies::tuning {

Result<SearchOutcome> brute_force_search(Evaluations& evaluations) {
  const Space& space = evaluations.space();
  if (const auto error = check_brute_force(space.size(), "for brute force")) return *error;
  const auto done = TUTTI_TRY(evaluations.of(space.all()));
  return SearchOutcome{};
}

}  // namespace tutti::studies::tuning
