// SPDX-License-Identifier: BSD-3-Clause
// Model-guided: tree-structured Parzen estimators (J. Bergstra, R. Bardenet, Y. Bengio, B. Kegl,
// NIPS 2011). What is known is divided into the good part and the rest; for each parameter, each
// value has a density in both; the next combinations to be tried are those that are likely among
// the good and unlikely in the rest.
#include <algorithm>
#include <cmath>
#include <set>

#include "sim/studies/tuning/searches.hpp"

namespace tutti::studies::tuning {
namespace {

constexpr double good_part = 0.2;
constexpr double neighbour_weight =
    0.35;                           // of a neighbour of what was seen; its square for the next
constexpr double prior_weight = 1;  // spread over all values, as one observation
constexpr std::size_t few_combinations = 20'000;  // all are looked at
constexpr std::size_t proposals = 512;            // else so many, drawn from the good

// By parameter and value.
using Densities = std::vector<std::vector<double>>;

Densities densities_of(const Space& space, const std::vector<Evaluated>& all, std::size_t from,
                       std::size_t to) {
  Densities densities;
  for (std::size_t p = 0; p < space.dimensions(); ++p) {
    const auto& parameter = space.parameters()[p];
    const auto count = parameter.values.size();
    std::vector<double> weights(count, prior_weight / static_cast<double>(count));
    for (std::size_t i = from; i < to; ++i)
      for (std::size_t v = 0; v < count; ++v) {
        const auto seen = all[i].combination[p];
        const auto distance = v > seen ? v - seen : seen - v;
        if (distance == 0)
          weights[v] += 1;
        else if (parameter.is_ordered)
          weights[v] += std::pow(neighbour_weight, static_cast<double>(distance));
      }
    double sum = 0;
    for (const double each : weights) sum += each;
    for (double& each : weights) each /= sum;
    densities.push_back(std::move(weights));
  }
  return densities;
}

class Model {
 public:
  // `known` is sorted: the best first.
  Model(const Space& space, const std::vector<Evaluated>& known)
      : good_(densities_of(space, known, 0, good_count(known))),
        scores_(densities_of(space, known, good_count(known), known.size())) {
    for (std::size_t p = 0; p < good_.size(); ++p)
      for (std::size_t v = 0; v < good_[p].size(); ++v)
        scores_[p][v] = std::log(good_[p][v] / scores_[p][v]);
  }

  double score(const Combination& combination) const {
    double sum = 0;
    for (std::size_t p = 0; p < combination.size(); ++p) sum += scores_[p][combination[p]];
    return sum;
  }

  Combination drawn(Draws& draws) const {
    constexpr std::size_t fine = std::size_t{1} << 30;
    Combination combination;
    for (const auto& weights : good_) {
      double rest = static_cast<double>(draws.below(fine)) / static_cast<double>(fine);
      std::uint32_t value = 0;
      while (value + 1 < weights.size() && rest >= weights[value]) rest -= weights[value++];
      combination.push_back(value);
    }
    return combination;
  }

 private:
  static std::size_t good_count(const std::vector<Evaluated>& known) {
    const auto wanted = static_cast<std::size_t>(good_part * static_cast<double>(known.size()));
    return std::clamp<std::size_t>(wanted, 1, known.size());
  }

  Densities good_;
  Densities scores_;  // log(good / rest)
};

std::vector<Combination> candidates_of(const Space& space, const Model& model, Draws& draws) {
  if (space.size() <= few_combinations) return space.all();
  std::vector<Combination> drawn;
  for (std::size_t i = 0; i < proposals; ++i)
    if (auto each = model.drawn(draws); space.allows(each)) drawn.push_back(std::move(each));
  return drawn;
}

// The most promising that are not known yet.
std::vector<Combination> proposed(const Evaluations& evaluations, std::size_t count, Draws& draws) {
  auto known = evaluations.history();
  sort_by_value(known);
  std::set<Combination> seen;
  for (const auto& each : known) seen.insert(each.combination);
  const Model model(evaluations.space(), known);
  struct Scored {
    double score;
    Combination combination;
  };
  std::vector<Scored> scored;
  for (auto& each : candidates_of(evaluations.space(), model, draws))
    if (seen.insert(each).second) scored.push_back({model.score(each), std::move(each)});
  std::ranges::stable_sort(scored, std::greater{}, &Scored::score);
  std::vector<Combination> best;
  for (auto& each : scored)
    if (best.size() < count) best.push_back(std::move(each.combination));
  return best;
}

}  // namespace

Result<SearchOutcome> model_guided_search(Evaluations& evaluations, const SearchOptions& options) {
  const Space& space = evaluations.space();
  const std::size_t budget = budget_of(space, options);
  const std::size_t first = std::clamp<std::size_t>(2 * space.dimensions(), 1, (budget + 1) / 2);
  Draws draws(options.seed);
  auto done = evaluations.of(first_sample(space, first, draws));
  if (!done) return done.errors();
  while (evaluations.history().size() < budget) {
    const std::size_t room = budget - evaluations.history().size();
    const auto next = proposed(evaluations, std::min(options.batch, room), draws);
    if (next.empty()) break;
    done = evaluations.of(next);
    if (!done) return done.errors();
  }
  return SearchOutcome{};
}

}  // namespace tutti::studies::tuning
