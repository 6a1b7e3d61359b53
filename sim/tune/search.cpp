// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/search.hpp"

namespace tutti::studies::tuning {
namespace {

// In the order of Method.
constexpr std::string_view method_words[] = {"brute-force", "attribute", "factorial", "halving",
                                             "model"};

constexpr std::size_t draws_for_one = 64;  // of a first sample
constexpr std::size_t least_budget = 5;
constexpr std::size_t most_budget = 200;
constexpr std::size_t budget_divisor = 10;

Result<SearchOutcome> brute_force_search(Evaluations& evaluations) {
  const Space& space = evaluations.space();
  if (const auto error = check_brute_force(space.size(), "for brute force")) return *error;
  TUTTI_TRY(evaluations.evaluate(space.all()));
  return SearchOutcome{};
}

}  // namespace

std::optional<Method> parse_method(std::string_view name) {
  const auto* const word = std::ranges::find(method_words, name);
  if (word == std::end(method_words)) return std::nullopt;
  return static_cast<Method>(word - std::begin(method_words));
}

std::string_view method_name(Method method) {
  return method_words[static_cast<std::size_t>(method)];
}

std::vector<std::string> method_names() {
  return {std::begin(method_words), std::end(method_words)};
}

Result<SearchOutcome> search(Evaluations& evaluations, const SearchOptions& options) {
  switch (options.method) {
    case Method::brute_force:
      return brute_force_search(evaluations);
    case Method::attribute:
      return attribute_search(evaluations, options);
    case Method::factorial:
      return factorial_search(evaluations, options);
    case Method::halving:
      return halving_search(evaluations, options);
    case Method::model:
      break;
  }
  return model_guided_search(evaluations, options);
}

Box::Box(const Space& space) : space_(space), values_(space.dimensions()) {
  for (std::size_t i = 0; i < space.dimensions(); ++i) {
    values_[i].resize(space.parameters()[i].values.size());
    std::iota(values_[i].begin(), values_[i].end(), 0);
  }
}

std::size_t Box::size() const {
  std::size_t size = 1;
  for (const auto& values : values_)
    size = std::min(Space::most_combinations, size * values.size());
  return size;
}

std::vector<Combination> Box::all() const {
  std::vector<Combination> combinations;
  std::set<Combination> seen;
  const std::size_t count = size();
  Combination combination(values_.size());
  for (std::size_t number = 0; number < count; ++number) {
    std::size_t rest = number;
    for (std::size_t i = values_.size(); i-- > 0;) {
      combination[i] = values_[i][rest % values_[i].size()];
      rest /= values_[i].size();
    }
    auto canonical = space_.canonical(combination);
    if (!space_.has_conditions() || seen.insert(canonical).second)
      combinations.push_back(std::move(canonical));
  }
  return combinations;
}

std::string fixed_text(const Space& space, std::size_t parameter, std::uint32_t value,
                       std::string_view how) {
  const auto& tuned = space.parameters()[parameter];
  return fmt::format("{} is {} at {}", tuned.name, how, tuned.values[value]);
}

std::optional<Error> check_brute_force(std::size_t combinations, std::string_view purpose) {
  constexpr std::size_t most_brute_force = 1'000'000;
  if (combinations <= most_brute_force) return std::nullopt;
  return usage_error("[search]",
                     fmt::format("{} combinations are too many {}", combinations, purpose),
                     "use method = \"model\" or \"halving\", which need fewer evaluations");
}

std::optional<Error> evaluate_all(Evaluations& evaluations, const Box& box) {
  if (auto error = check_brute_force(box.size(), "for the remaining brute force")) return error;
  TUTTI_TRY(evaluations.evaluate(box.all()));
  return std::nullopt;
}

namespace {

// Prefers values that occur rarely so far; only for parameters that apply.
class Balance {
 public:
  explicit Balance(const Space& space) : space_(space) {
    for (const auto& parameter : space.parameters()) taken_.emplace_back(parameter.values.size());
  }

  void take(const Combination& combination) {
    for (std::size_t i = 0; i < taken_.size(); ++i)
      if (space_.applies(combination, i)) taken_[i][combination[i]] += 1;
  }
  // Less is better.
  double bundle(const Combination& combination) const {
    double sum = 0, applying = 0;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (!space_.applies(combination, i)) continue;
      sum += taken_[i][combination[i]] * static_cast<double>(taken_[i].size());
      ++applying;
    }
    return sum / std::max(1.0, applying);
  }

 private:
  const Space& space_;
  std::vector<std::vector<double>> taken_;  // by parameter and value
};

}  // namespace

std::vector<Combination> first_sample(const Space& space, std::size_t count, Draws& draws) {
  std::vector<Combination> sample{space.defaults()};
  std::set<Combination> seen{space.defaults()};
  Balance balance(space);
  balance.take(space.defaults());
  while (sample.size() < count) {
    std::optional<Combination> best;
    for (std::size_t i = 0; i < draws_for_one; ++i) {
      auto drawn = space.canonical(space.at(draws.below(space.size())));
      if (seen.contains(drawn) || (best && balance.bundle(drawn) >= balance.bundle(*best)))
        continue;
      best = std::move(drawn);
    }
    if (!best) break;
    seen.insert(*best);
    balance.take(*best);
    sample.push_back(*std::move(best));
  }
  return sample;
}

std::vector<Combination> neighbours(const Space& space, const Combination& combination) {
  std::set<Combination> neighbors;
  for (std::size_t i = 0; i < space.dimensions(); ++i)
    for (std::uint32_t value = 0; value < space.parameters()[i].values.size(); ++value) {
      auto changed = combination;
      changed[i] = value;
      changed = space.canonical(std::move(changed));
      if (changed != combination) neighbors.insert(std::move(changed));
    }
  return {neighbors.begin(), neighbors.end()};
}

std::size_t evaluation_budget(const Space& space, const SearchOptions& options) {
  if (options.budget) return *options.budget;
  return std::clamp(space.count() / budget_divisor, least_budget, most_budget);
}

}  // namespace tutti::studies::tuning
