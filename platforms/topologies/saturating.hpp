// SPDX-License-Identifier: BSD-3-Clause
// Sums and products of sizes that a hostile file may give: the largest number instead of a wrong
// one.
#pragma once

#include <cstdint>
#include <limits>

namespace tutti::platforms {

constexpr std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return a > most - b ? most : a + b;
}

constexpr std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}

}  // namespace tutti::platforms
