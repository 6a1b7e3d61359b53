// SPDX-License-Identifier: BSD-3-Clause
// Successive halving over growing problems (K. Jamieson, A. Talwalkar, AISTATS 2016): many
// combinations on the smallest problem, the best fraction of them on the next larger one, ..., few
// on the whole problem. Without a budget all levels together cost evaluation_budget, with the last
// part reserved for neighbors of the best.

#include "sim/base/common.hpp"
#include "sim/tune/search.hpp"

namespace tutti::studies::tuning {
namespace {

std::vector<Combination> best_combinations(std::vector<Evaluated> evaluated, std::size_t count) {
  std::erase_if(evaluated, [](const Evaluated& result) { return !result.value; });
  sort_by_value(evaluated);
  std::vector<Combination> kept;
  for (std::size_t i = 0; i < evaluated.size() && i < count; ++i)
    kept.push_back(std::move(evaluated[i].combination));
  return kept;
}

std::size_t kept_count(std::size_t combinations, std::size_t one_of) {
  return (combinations + one_of - 1) / one_of;
}

double halving_cost(const Levels& levels, std::size_t first, std::size_t one_of) {
  double cost = 0;
  for (const double level_cost : levels.costs) {
    cost += level_cost * static_cast<double>(first);
    first = kept_count(first, one_of);
  }
  return cost;
}

// The number of combinations that cost at most the budget; a part is reserved for neighbors of the
// best.
std::size_t first_level(const Levels& levels, std::size_t combinations, double most_cost,
                        std::size_t one_of) {
  constexpr double halving_fraction = 0.75;
  std::size_t count = 2;
  while (count < combinations &&
         halving_cost(levels, count + 1, one_of) <= halving_fraction * most_cost)
    ++count;
  return count;
}

// Evaluates neighbors of the best on the whole problem, while that improves it and the budget
// lasts.
std::optional<Error> refine(Evaluations& evaluations, double most_cost) {
  for (auto best = evaluations.best(); best;) {
    const auto left = std::max(0.0, most_cost - evaluations.cost());
    auto next = neighbours(evaluations.space(), best->combination);
    std::erase_if(next,
                  [&](const Combination& combination) { return evaluations.knows(combination); });
    if (static_cast<double>(next.size()) > left) next.resize(static_cast<std::size_t>(left));
    if (next.empty()) return std::nullopt;
    TUTTI_TRY(evaluations.evaluate(next));
    const auto better = evaluations.best();
    if (better->combination == best->combination) return std::nullopt;
    best = better;
  }
  return std::nullopt;
}

}  // namespace

Result<SearchOutcome> halving_search(Evaluations& evaluations, const SearchOptions& options) {
  const Space& space = evaluations.space();
  const auto one_of = static_cast<std::size_t>(std::max(2, options.keep_one_of));
  Draws draws(options.seed);
  const auto& levels = evaluations.levels();
  const std::size_t allowed = space.count();
  const auto most_cost = static_cast<double>(evaluation_budget(space, {}));
  const auto first =
      options.budget ? *options.budget : first_level(levels, allowed, most_cost, one_of);
  auto combinations = first_sample(space, first, draws);
  SearchOutcome outcome;
  for (std::size_t level = 0; level < levels.whole(); ++level) {
    auto results = TUTTI_TRY(evaluations.evaluate(combinations, level));
    const std::size_t kept = kept_count(combinations.size(), one_of);
    outcome.remarks.push_back(
        fmt::format("level {}: {} of {} continue", level + 1, kept, combinations.size()));
    combinations = best_combinations(std::move(results), kept);
  }
  TUTTI_TRY(evaluations.evaluate(combinations));
  if (!options.budget)
    if (auto error = refine(evaluations, most_cost)) return *std::move(error);
  return outcome;
}

}  // namespace tutti::studies::tuning
