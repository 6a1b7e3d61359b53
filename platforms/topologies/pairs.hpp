// SPDX-License-Identifier: BSD-3-Clause
// Pairs of different numbers below n, in the order (0,1), (0,2), ... (1,2), ...
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

// Number of pairs of n elements; n < 2^32.
constexpr std::uint64_t pairs(std::uint64_t n) {
  return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
}

// Number of pairs before the first one that begins with `first`.
constexpr std::uint32_t pairs_before(std::uint64_t first, std::uint64_t n) {
  return static_cast<std::uint32_t>(first * (2 * n - first - 1) / 2);
}

// The index of the pair {a, b}; a != b.
inline std::uint32_t pair_index(std::uint32_t a, std::uint32_t b, std::uint32_t n) {
  const auto [first, second] = std::minmax(a, b);
  return pairs_before(first, n) + second - first - 1;
}

struct Pair {
  std::uint32_t first;
  std::uint32_t second;
};

// The pair with this index; n is at least 2.
inline Pair pair_at(std::uint32_t index, std::uint32_t n) {
  std::uint32_t low = 0;
  for (std::uint32_t high = n; high - low > 1;) {
    const std::uint32_t middle = low + (high - low) / 2;
    (pairs_before(middle, n) <= index ? low : high) = middle;
  }
  return {low, low + 1 + index - pairs_before(low, n)};
}

}  // namespace tutti::platforms
