// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/search.hpp"

namespace tutti::studies::tuning {
namespace {

struct NamedMethod {
  Method method;
  std::string_view name;
};
constexpr NamedMethod methods[] = {{Method::brute_force, "brute-force"},
                                   {Method::attribute, "attribute"},
                                   {Method::factorial, "factorial"},
                                   {Method::halving, "halving"},
                                   {Method::model, "model"}};

constexpr std::size_t draws_for_one = 64;  // of a first sample
constexpr std::size_t least_budget = 5;
constexpr std::size_t most_budget = 200;
constexpr std::size_t budget_divisor = 10;

}  // namespace

std::optional<Method> method_of(std::string_view name) {
  const auto* found = std::ranges::find(methods, name, &NamedMethod::name);
  return found == std::end(methods) ? std::nullopt : std::optional(found->method);
}

std::string_view method_name(Method method) {
  return std::ranges::find(methods, method, &NamedMethod::method)->name;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& method : methods) names.emplace_back(method.name);
  return names;
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
  std::vector<Combination> found;
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
      found.push_back(std::move(canonical));
  }
  return found;
}

std::string fixed_text(const Space& space, std::size_t parameter, std::uint32_t value,
                       std::string_view how) {
  const auto& tuned = space.parameters()[parameter];
  return fmt::format("{} is {} at {}", tuned.name, how, tuned.values[value]);
}

std::optional<Error> check_brute_force(std::size_t combinations, std::string_view of) {
  if (combinations <= most_brute_force) return std::nullopt;
  return usage_error("[search]", fmt::format("{} combinations are too many {}", combinations, of),
                     "use method = \"model\" or \"halving\", which need fewer evaluations");
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
  std::vector<Combination> found{space.defaults()};
  std::set<Combination> seen{space.defaults()};
  Balance balance(space);
  balance.take(space.defaults());
  while (found.size() < count) {
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
    found.push_back(*std::move(best));
  }
  return found;
}

std::vector<Combination> neighbours(const Space& space, const Combination& combination) {
  std::set<Combination> found;
  for (std::size_t i = 0; i < space.dimensions(); ++i)
    for (std::uint32_t value = 0; value < space.parameters()[i].values.size(); ++value) {
      auto changed = combination;
      changed[i] = value;
      changed = space.canonical(std::move(changed));
      if (changed != combination) found.insert(std::move(changed));
    }
  return {found.begin(), found.end()};
}

std::size_t budget_of(const Space& space, const SearchOptions& options) {
  if (options.budget) return *options.budget;
  return std::clamp(space.count() / budget_divisor, least_budget, most_budget);
}

}  // namespace tutti::studies::tuning
