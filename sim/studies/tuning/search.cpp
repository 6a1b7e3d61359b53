// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/tuning/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "sim/base/error_list.hpp"
#include "sim/studies/tuning/searches.hpp"

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

constexpr std::size_t few_combinations = 4096;  // all are listed
constexpr std::size_t most_misses = 1000;       // of random draws, one after the other
constexpr std::size_t least_budget = 20;
constexpr std::size_t budget_divisor = 20;

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
  for (const auto& each : methods) names.emplace_back(each.name);
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
  for (const auto& each : values_) size = std::min(Space::most_combinations, size * each.size());
  return size;
}

std::vector<Combination> Box::all() const {
  std::vector<Combination> found;
  const std::size_t count = size();
  Combination combination(values_.size());
  for (std::size_t number = 0; number < count; ++number) {
    std::size_t rest = number;
    for (std::size_t i = values_.size(); i-- > 0;) {
      combination[i] = values_[i][rest % values_[i].size()];
      rest /= values_[i].size();
    }
    if (space_.allows(combination)) found.push_back(combination);
  }
  return found;
}

std::string fixed_text(const Space& space, std::size_t parameter, std::uint32_t value,
                       std::string_view how) {
  const auto& each = space.parameters()[parameter];
  return fmt::format("{} is {} at {}", each.name, how, each.values[value]);
}

std::optional<Error> check_brute_force(std::size_t combinations, std::string_view of) {
  if (combinations <= most_brute_force) return std::nullopt;
  return usage_error("[search]", fmt::format("{} combinations are too many {}", combinations, of),
                     "method = \"model\" or \"halving\" need fewer evaluations");
}

std::vector<Combination> first_sample(const Space& space, std::size_t count, Draws& draws) {
  std::vector<Combination> found;
  std::set<Combination> seen;
  const auto take = [&](Combination combination) {
    if (!space.allows(combination) || !seen.insert(combination).second) return false;
    found.push_back(std::move(combination));
    return true;
  };
  take(space.defaults());
  if (space.size() <= few_combinations) {
    auto all = space.all();
    for (std::size_t i = 0; i < all.size() && found.size() < count; ++i) {
      std::swap(all[i], all[i + draws.below(all.size() - i)]);
      take(all[i]);
    }
    return found;
  }
  for (std::size_t misses = 0; found.size() < count && misses < most_misses;) {
    Combination combination;
    for (const auto& each : space.parameters())
      combination.push_back(static_cast<std::uint32_t>(draws.below(each.values.size())));
    misses = take(std::move(combination)) ? 0 : misses + 1;
  }
  return found;
}

std::size_t budget_of(const Space& space, const SearchOptions& options) {
  if (options.budget) return *options.budget;
  return std::max(least_budget, space.size() / budget_divisor);
}

}  // namespace tutti::studies::tuning
