// SPDX-License-Identifier: BSD-3-Clause
// The orders in which a path may traverse n axes: all permutations of up to six axes, the rotations
// of more. Order 0 is 0, 1, ..., n - 1.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

constexpr std::uint32_t order_count(std::size_t axes) {
  constexpr std::size_t most_permuted = 6;
  if (axes > most_permuted) return static_cast<std::uint32_t>(axes);
  std::uint32_t count = 1;
  for (std::uint32_t i = 2; i <= axes; ++i) count *= i;
  return count;
}

// Rearranges `axes` into the order with this number, below order_count(axes.size()).
template <class Axis>
void arrange(std::span<Axis> axes, std::uint32_t number) {
  const auto count = axes.size();
  const bool rotates = order_count(count) == count && count > 2;
  if (rotates) {
    std::rotate(axes.begin(), axes.begin() + number, axes.end());
    return;
  }
  // The factorial number system: each digit selects one of the remaining axes.
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const auto rest = order_count(count - 1 - i);
    const auto selected = axes.begin() + static_cast<std::ptrdiff_t>(i + number / rest);
    std::rotate(axes.begin() + static_cast<std::ptrdiff_t>(i), selected, selected + 1);
    number %= rest;
  }
}

}  // namespace tutti::platforms
