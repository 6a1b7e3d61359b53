// SPDX-License-Identifier: BSD-3-Clause
// The attribute-based search is ADCL's "performance hypothesis": it changes one parameter while the
// others stay. The first winner is the hypothesis with confidence 1; each comparison with different
// values of the others that it wins raises the confidence by 1, each that it loses lowers it, and
// at 0 the next winner becomes the hypothesis. At confidence 2 it counts as the best in all
// combinations, and combinations with other values are dropped. Brute force evaluates the
// remainder. Where the parameter does not apply there is nothing to compare. A comparison has no
// winner if one of its simulations failed.

#include "sim/base/common.hpp"
#include "sim/tune/search.hpp"

namespace tutti::studies::tuning {
namespace {

// The j-th setting of the other parameters: each is advanced by j from its default, among the
// remaining values.
Combination base(const Space& space, const Box& box, std::size_t j) {
  Combination combination;
  for (std::size_t i = 0; i < space.dimensions(); ++i) {
    const auto& values = box.values(i);
    const auto place = std::ranges::find(values, space.parameters()[i].default_value);
    const std::size_t start =
        place == values.end() ? 0 : static_cast<std::size_t>(place - values.begin());
    combination.push_back(values[(start + j) % values.size()]);
  }
  return combination;
}

// The number of different bases.
std::size_t bases(const Space& space, const Box& box, std::size_t parameter) {
  std::size_t most = 1;
  for (std::size_t i = 0; i < space.dimensions(); ++i)
    if (i != parameter) most = std::max(most, box.values(i).size());
  return most;
}

// The combinations that differ from `others` in the value of one parameter.
std::vector<Combination> vary(const Space& space, const Box& box, Combination others,
                              std::size_t parameter) {
  std::vector<Combination> combinations;
  for (const auto value : box.values(parameter)) {
    others[parameter] = value;
    auto combination = space.canonical(others);
    if (combination[parameter] == value) combinations.push_back(std::move(combination));
  }
  return combinations;
}

// The value of the best combination; of equals the default, otherwise the first.
std::optional<std::uint32_t> winner(const std::vector<Evaluated>& evaluated, std::size_t parameter,
                                    std::uint32_t otherwise) {
  const Evaluated* best = nullptr;
  for (const auto& result : evaluated) {
    if (!result.value) continue;
    const bool is_default = result.combination[parameter] == otherwise;
    if (best == nullptr || *result.value < *best->value ||
        (*result.value == *best->value && is_default))
      best = &result;
  }
  return best == nullptr ? std::nullopt : std::optional(best->combination[parameter]);
}

}  // namespace

Result<SearchOutcome> attribute_search(Evaluations& evaluations, const SearchOptions& options) {
  const Space& space = evaluations.space();
  Box box(space);
  SearchOutcome outcome;
  for (std::size_t parameter = 0; parameter < space.dimensions(); ++parameter) {
    std::uint32_t hypothesis = 0;
    int confidence = 0;
    const std::size_t count = bases(space, box, parameter);
    for (std::size_t j = 0; j < count && !box.is_fixed(parameter); ++j) {
      const auto rivals = vary(space, box, base(space, box, j), parameter);
      if (rivals.size() < 2) continue;
      const auto results = TUTTI_TRY(evaluations.evaluate(rivals));
      if (std::ranges::any_of(results, &Evaluated::has_failed)) continue;
      const auto best = winner(results, parameter, space.parameters()[parameter].default_value);
      if (!best) continue;
      if (confidence == 0) hypothesis = *best;
      confidence += *best == hypothesis ? 1 : -1;
      if (confidence < options.confidence) continue;
      box.fix(parameter, *best);
      outcome.remarks.push_back(fixed_text(space, parameter, *best, "fixed"));
    }
  }
  if (const auto error = evaluate_all(evaluations, box)) return *error;
  return outcome;
}

}  // namespace tutti::studies::tuning
