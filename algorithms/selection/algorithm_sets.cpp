// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/algorithm_sets.hpp"

#include "algorithms/mpich.hpp"
#include "algorithms/selection/rules.hpp"

namespace tutti::algorithms::selection {
namespace {

constexpr const char* noncommutative = "_noncommutative";  // tables of such operations
constexpr std::string_view tuned = "tuned";

// How many versions before `version` the algorithm came, along the sets on which it is based; none:
// it is not an algorithm of Open MPI in that version.
std::optional<int> age_in(const RuleSet& version, const Algorithm& algorithm) {
  if (algorithm.id == 0) return std::nullopt;
  int age = 0;
  for (const RuleSet* set = &version; set != nullptr; set = set->base, ++age)
    if (algorithm.set == set->name || (algorithm.set.empty() && set->base == nullptr)) return age;
  return std::nullopt;
}

bool is_in_version(const RuleSet& version, const Algorithm& algorithm) {
  const auto age = age_in(version, algorithm);
  if (!age) return false;
  if (!version.last_ids.empty()) {
    const auto last = version.last_ids.find(algorithm.collective);
    if (last == version.last_ids.end() || algorithm.id > last->second) return false;
  }
  // A later version may use the number for another algorithm.
  return std::ranges::none_of(all_algorithms(), [&](const Algorithm& other) {
    if (other.collective != algorithm.collective || other.id != algorithm.id) return false;
    const auto other_age = age_in(version, other);
    return other_age && *other_age < *age;
  });
}

bool is_chosen_by_mpich(const Algorithm& algorithm) {
  for (const RuleSet& rules : all_rule_sets())
    for (const RuleTable& table : rules.tables) {
      const bool is_of_it = table.collective == algorithm.collective ||
                            table.collective == std::string(algorithm.collective) + noncommutative;
      if (rules.component != tuned && is_of_it &&
          std::ranges::find(table.rules(), algorithm.name, &Rule::algorithm) != table.rules().end())
        return true;
    }
  return false;
}

}  // namespace

std::span<const std::string_view> algorithm_sets() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const RuleSet& rules : all_rule_sets())
      if (rules.component == tuned) all.push_back(rules.name);
    std::ranges::sort(all);
    all.insert(all.end(), {mpich::set, "nccl", "published", "any"});
    return all;
  }();
  return names;
}

bool is_in_set(std::string_view set, const Algorithm& algorithm) {
  if (set == "any") return !algorithm.device_protocol;
  if (set.empty() || set == "published" || set == "nccl") return algorithm.set == set;
  if (set == mpich::set) return algorithm.set == set || is_chosen_by_mpich(algorithm);
  const RuleSet* version = rule_set_named(set);
  TUTTI_CHECK(version != nullptr, "unknown set of algorithms: " + std::string(set));
  return is_in_version(*version, algorithm);
}

}  // namespace tutti::algorithms::selection
