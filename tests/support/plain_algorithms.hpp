// SPDX-License-Identifier: BSD-3-Clause
// The algorithms that need only ranks: no levels, no hardware of the machine.
#pragma once

#include <vector>

#include "algorithms/collective.hpp"
#include "algorithms/hardware/hardware.hpp"
#include "tests/support/covering.hpp"

namespace tutti::tests {

inline bool is_plain(const algorithms::Algorithm& algorithm) {
  return algorithm.levels.inter.empty() && !algorithm.by_nodes &&
         algorithm.name != algorithms::hardware::name;
}

inline std::vector<const algorithms::Algorithm*> plain_algorithms_of(std::string_view collective) {
  auto all = algorithms::algorithms_of(collective);
  std::erase_if(all, [](const algorithms::Algorithm* each) { return !is_plain(*each); });
  return all;
}

// Those that run with any number of ranks.
inline std::vector<const algorithms::Algorithm*> general_algorithms_of(
    std::string_view collective) {
  auto all = plain_algorithms_of(collective);
  std::erase_if(all, [](const algorithms::Algorithm* each) { return each->runs != nullptr; });
  return all;
}

inline std::vector<const algorithms::Algorithm*> plain_algorithms() {
  std::vector<const algorithms::Algorithm*> all;
  for (const auto& collective : algorithms::all_collectives())
    for (const auto* each : plain_algorithms_of(collective.name)) all.push_back(each);
  return all;
}

// The seed of the covering arrays of one algorithm: its cases do not change when another algorithm
// is added.
inline std::uint64_t seed_of(const algorithms::Algorithm& algorithm) {
  return seed_of(algorithm.collective) + seed_of(algorithm.name);
}

}  // namespace tutti::tests
