// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "platforms/topologies/saturating.hpp"

using tutti::platforms::Divisor;

namespace {

void check(std::uint32_t n, std::uint32_t d) {
  CAPTURE(n);
  CAPTURE(d);
  const auto [quotient, rest] = Divisor(d).divide(n);
  REQUIRE(quotient == n / d);
  REQUIRE(rest == n % d);
}

}  // namespace

TEST_CASE("a divisor divides exactly, at the edges of every quotient") {
  std::mt19937 random(1);
  std::vector<std::uint32_t> divisors = {1, 2, 3, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff};
  for (int i = 0; i < 20'000; ++i)
    divisors.push_back(
        std::max<std::uint32_t>(1, static_cast<std::uint32_t>(random()) >> random() % 32));
  for (const auto d : divisors) {
    for (const std::uint32_t n : {0u, 1u, d - 1, d, d + 1, 0xfffffffeu, 0xffffffffu}) check(n, d);
    const auto multiple = static_cast<std::uint32_t>(random()) / d * d;
    for (const auto n : {multiple - 1, multiple, multiple + d - 1}) check(n, d);
  }
}
