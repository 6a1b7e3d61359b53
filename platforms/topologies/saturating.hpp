// SPDX-License-Identifier: BSD-3-Clause
// Sums and products of sizes from untrusted files, which saturate instead of overflowing.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

// Division by a number known in advance, as a multiplication: ten times as fast as a division, of
// which a route needs many.

class Divisor {
 public:
  // `value` is at least 1.
  constexpr explicit Divisor(std::uint32_t value)
      : value_(value), inverse_(std::numeric_limits<std::uint64_t>::max() / value) {}

  constexpr std::uint32_t value() const { return value_; }

  // With inverse = (2^64 - e) / value and 1 <= e <= value, (n + 1) * inverse / 2^64 exceeds floor(n
  // / value) by less than 1, so the result is exact for all 32-bit numbers.
  constexpr std::uint32_t quotient(std::uint32_t n) const {
    return static_cast<std::uint32_t>(
        (static_cast<unsigned __int128>(inverse_) * (std::uint64_t{n} + 1)) >> 64);
  }

  struct Parts {
    std::uint32_t quotient;
    std::uint32_t rest;
  };
  constexpr Parts divide(std::uint32_t n) const {
    const auto q = quotient(n);
    return {q, n - q * value_};
  }

 private:
  std::uint32_t value_;
  std::uint64_t inverse_;
};

// Numbers of paths are stored in 32 bits.
constexpr std::uint32_t saturating_count(std::uint64_t count) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(count < most ? count : most);
}

constexpr std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return a > most - b ? most : a + b;
}

constexpr std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}

}  // namespace tutti::platforms
