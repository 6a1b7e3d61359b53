// SPDX-License-Identifier: BSD-3-Clause
// The links between the groups of a dragonfly: each pair of groups has as many. A group numbers the
// ends of its links by the other group, then by the link of the pair, and end n is at switch n
// modulo the number of switches: the ends are spread evenly, and if the links of a pair are a
// multiple of the switches, link k joins the switches k modulo switches of both groups.
#pragma once

#include "platforms/topologies/pairs.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

struct GroupLinks {
  std::uint32_t groups = 1;
  std::uint32_t links = 1;     // per pair of groups
  std::uint32_t switches = 1;  // per group, that have links to other groups

  std::uint64_t count() const { return pairs(groups) * links; }
  std::uint32_t index(std::uint32_t a, std::uint32_t b, std::uint32_t link) const {
    return pair_index(a, b, groups) * links + link;
  }
  // The switch of `group` at which this link to group `other` ends.
  std::uint32_t end(std::uint32_t group, std::uint32_t other, std::uint32_t link) const {
    return static_cast<std::uint32_t>((offset(group, other) + link) % switches);
  }
  // The links of a pair that end at a switch of `group`: first, first + switches, ...
  struct Ends {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  Ends ends_at(std::uint32_t group, std::uint32_t other, std::uint32_t at) const {
    const auto before = static_cast<std::uint32_t>(offset(group, other) % switches);
    const auto first = at >= before ? at - before : at + (switches - before);
    return {first, first < links ? (links - first - 1) / switches + 1 : 0};
  }

 private:
  std::uint64_t offset(std::uint32_t group, std::uint32_t other) const {
    return std::uint64_t{links} * (other < group ? other : other - 1);
  }
};

// The digits of a number, lowest first, in bases that may differ.
class Digits {
 public:
  explicit Digits(std::uint64_t number) : rest_(number) {}
  std::uint32_t next(std::uint32_t base) {
    const auto digit = static_cast<std::uint32_t>(rest_ % base);
    rest_ /= base;
    return digit;
  }
  std::uint64_t rest() const { return rest_; }

 private:
  std::uint64_t rest_;
};

// Number i of the numbers without a and b, which differ.
constexpr std::uint32_t other_than(std::uint32_t a, std::uint32_t b, std::uint32_t i) {
  const auto low = a < b ? a : b;
  const auto high = a < b ? b : a;
  if (i >= low) ++i;
  return i >= high ? i + 1 : i;
}

}  // namespace tutti::platforms
