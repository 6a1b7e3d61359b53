// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/algorithm_sets.hpp"

#include "algorithms/mpich.hpp"
#include "algorithms/selection/rules.hpp"

namespace tutti::algorithms::selection {
namespace {

struct MostId {
  std::string_view collective;
  int id;
};
constexpr MostId most_ids_31[] = {{"allgather", 6}, {"allgatherv", 5},     {"allreduce", 5},
                                  {"alltoall", 5},  {"alltoallv", 2},      {"barrier", 6},
                                  {"bcast", 6},     {"reduce_scatter", 3}, {"gather", 3},
                                  {"reduce", 6},    {"scatter", 2}};

constexpr const char* noncommutative = "_noncommutative";  // tables of such operations
constexpr std::string_view oldest = "ompi-3.1";
// Versions of Open MPI in ascending order, with the value of Algorithm::set that they add.
constexpr std::string_view versions[] = {"ompi-4.1", "ompi-5.0", "ompi-6"};

// The position of the version that added the algorithm; none: it is not Open MPI's.
std::optional<std::ptrdiff_t> added_by(const Algorithm& algorithm) {
  if (algorithm.id == 0) return std::nullopt;
  if (algorithm.set.empty()) return 0;
  const auto* version = std::ranges::find(versions, algorithm.set);
  if (version == std::end(versions)) return std::nullopt;
  return version - std::begin(versions);
}

bool is_replaced(const Algorithm& algorithm, std::ptrdiff_t added, std::ptrdiff_t version) {
  return std::ranges::any_of(all_algorithms(), [&](const Algorithm& each) {
    const auto other = added_by(each);
    return each.collective == algorithm.collective && each.id == algorithm.id && other &&
           *other > added && *other <= version;
  });
}

bool is_in_version(std::ptrdiff_t version, const Algorithm& algorithm) {
  const auto added = added_by(algorithm);
  return added && *added <= version && !is_replaced(algorithm, *added, version);
}

bool is_in_oldest(const Algorithm& algorithm) {
  if (!is_in_version(0, algorithm)) return false;
  const auto* found = std::ranges::find(most_ids_31, algorithm.collective, &MostId::collective);
  return found != std::end(most_ids_31) && algorithm.id <= found->id;
}

bool is_chosen_by_mpich(const Algorithm& algorithm) {
  for (const RuleSet& rules : all_rule_sets())
    for (const RuleTable& table : rules.tables) {
      const bool is_of_it = table.collective == algorithm.collective ||
                            table.collective == std::string(algorithm.collective) + noncommutative;
      if (rules.name.starts_with(mpich::set) && is_of_it &&
          std::ranges::find(table.rules(), algorithm.name, &Rule::algorithm) != table.rules().end())
        return true;
    }
  return false;
}

}  // namespace

std::span<const std::string_view> algorithm_sets() {
  static constexpr std::string_view names[] = {"ompi-3.1", "ompi-4.1",  "ompi-5.0", "ompi-6",
                                               "mpich",    "published", "any"};
  return names;
}

bool is_in_set(std::string_view set, const Algorithm& algorithm) {
  if (set == "any") return true;
  if (set.empty() || set == "published") return algorithm.set == set;
  if (set == oldest) return is_in_oldest(algorithm);
  if (set == mpich::set) return algorithm.set == set || is_chosen_by_mpich(algorithm);
  const auto* version = std::ranges::find(versions, set);
  TUTTI_CHECK(version != std::end(versions), "unknown set of algorithms: " + std::string(set));
  return is_in_version(version - std::begin(versions), algorithm);
}

}  // namespace tutti::algorithms::selection
