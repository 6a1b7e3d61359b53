// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/equal_values.hpp"

namespace tutti::studies::tuning {
namespace {

constexpr std::ptrdiff_t enough_equal = 3;

bool is_equal(double a, double b) {
  return std::abs(a - b) <= equal_values * std::max(std::abs(a), std::abs(b));
}

}  // namespace

EqualValues::EqualValues(const Space& space, const std::vector<Evaluated>& known, Guess guess)
    : space_(space), is_bold_(guess == Guess::bold) {
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto names = only_names(known[i].combination);
    auto& classes = classes_[names];
    if (classes.empty())
      for (const auto& parameter : space.parameters()) {
        classes.emplace_back(parameter.values.size());
        std::iota(classes.back().begin(), classes.back().end(), 0);
      }
    for (std::size_t j = 0; j < i; ++j)
      if (known[i].value && known[j].value && is_equal(*known[i].value, *known[j].value) &&
          only_names(known[j].combination) == names)
        unite(classes, known[i].combination, known[j].combination);
  }
  for (const auto& evaluated : known)
    known_.insert(reduce(evaluated.combination, classes_.at(only_names(evaluated.combination))));
}

bool EqualValues::repeats(const Combination& combination) const {
  const auto classes = classes_.find(only_names(combination));
  return classes != classes_.end() && known_.contains(reduce(combination, classes->second));
}

bool EqualValues::same(const Combination& a, const Combination& b) const {
  const auto names = only_names(a);
  const auto classes = classes_.find(names);
  return names == only_names(b) && classes != classes_.end() &&
         reduce(a, classes->second) == reduce(b, classes->second);
}

Combination EqualValues::only_names(const Combination& combination) const {
  Combination names = combination;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (space_.parameters()[i].is_ordered) names[i] = 0;
  return names;
}

void EqualValues::unite(std::vector<Classes>& classes, const Combination& a,
                        const Combination& b) const {
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto& of_parameter = classes[i];
    const auto [first, last] = std::minmax(a[i], b[i]);
    const bool is_range = !is_bold_ && space_.parameters()[i].is_ordered;
    for (auto value = is_range ? first : last; value <= last; ++value) {
      const auto from = of_parameter[value], to = of_parameter[first];
      std::ranges::replace(of_parameter, std::max(from, to), std::min(from, to));
    }
    if (is_bold_ && std::ranges::count(of_parameter, of_parameter[first]) >= enough_equal)
      std::ranges::fill(of_parameter, 0);
  }
}

Combination EqualValues::reduce(const Combination& combination,
                                const std::vector<Classes>& classes) const {
  Combination smallest = combination;
  for (std::size_t i = 0; i < smallest.size(); ++i) smallest[i] = classes[i][smallest[i]];
  return smallest;
}

}  // namespace tutti::studies::tuning
