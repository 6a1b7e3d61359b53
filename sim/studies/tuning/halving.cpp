// SPDX-License-Identifier: BSD-3-Clause
// Successive halving over growing problems (K. Jamieson, A. Talwalkar, AISTATS 2016): many
// combinations on the smallest problem, the best part of them on the next larger one, ..., few on
// the whole.
#include <fmt/format.h>

#include <algorithm>

#include "sim/studies/tuning/searches.hpp"

namespace tutti::studies::tuning {
namespace {

std::vector<Combination> best_part(std::vector<Evaluated> evaluated, std::size_t count) {
  std::erase_if(evaluated, [](const Evaluated& each) { return !each.value; });
  sort_by_value(evaluated);
  std::vector<Combination> kept;
  for (std::size_t i = 0; i < evaluated.size() && i < count; ++i)
    kept.push_back(std::move(evaluated[i].combination));
  return kept;
}

}  // namespace

Result<SearchOutcome> halving_search(Evaluations& evaluations, const SearchOptions& options) {
  const Space& space = evaluations.space();
  const auto one_of = static_cast<std::size_t>(std::max(2, options.keep_one_of));
  Draws draws(options.seed);
  auto combinations = first_sample(space, budget_of(space, options), draws);
  SearchOutcome outcome;
  for (std::size_t level = 0; level < evaluations.levels().whole(); ++level) {
    auto done = evaluations.of(combinations, level);
    if (!done) return done.errors();
    const std::size_t kept = (combinations.size() + one_of - 1) / one_of;
    outcome.remarks.push_back(
        fmt::format("level {}: {} of {} go on", level + 1, kept, combinations.size()));
    combinations = best_part(*std::move(done), kept);
  }
  const auto done = evaluations.of(combinations);
  if (!done) return done.errors();
  return outcome;
}

}  // namespace tutti::studies::tuning
