// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/mpich_trees.hpp"

namespace tutti::algorithms::trees {

namespace {

RankId rank_of_shifted(const Position& at, std::int64_t v) {
  return unshifted(at, static_cast<RankId>(v));
}

// The smallest power of the radix that is at least P.
std::int64_t covering_power(std::int64_t procs, std::int64_t radix) {
  std::int64_t power = 1;
  while (power < procs) power *= radix;
  return power;
}

}  // namespace

Node kary(const Position& at, int radix) {
  const std::int64_t v = shifted(at);
  Node node;
  if (v > 0) node.parent = rank_of_shifted(at, (v - 1) / radix);
  for (std::int64_t child = v * radix + 1; child <= v * radix + radix && child < at.procs; ++child)
    node.children.push_back(rank_of_shifted(at, child));
  return node;
}

Node knomial_1(const Position& at, int radix) {
  const std::int64_t v = shifted(at);
  Node node;
  std::int64_t current = 0;
  std::int64_t weight = covering_power(at.procs, radix) / radix;  // of the children to come
  std::int64_t child = 1;
  while (current != v) {
    const std::int64_t skipped = std::min<std::int64_t>(radix - 1, (v - child) / weight);
    child += skipped * weight;
    if (skipped < radix - 1) {
      node.parent = rank_of_shifted(at, current);
      current = child;
      child = current + 1;
    }
    weight /= radix;
  }
  for (; weight > 0; weight /= radix)
    for (int i = 1; i < radix; ++i, child += weight)
      if (child < at.procs) node.children.push_back(rank_of_shifted(at, child));
  return node;
}

Node knomial_2(const Position& at, int radix) {
  const std::int64_t v = shifted(at);
  const std::int64_t power = covering_power(at.procs, radix);
  Node node;
  std::int64_t digit_weight = 1;  // of the lowest digit that is not 0
  while (digit_weight < power && v / digit_weight % radix == 0) digit_weight *= radix;
  if (v > 0) node.parent = rank_of_shifted(at, v - v / digit_weight % radix * digit_weight);
  for (std::int64_t weight = digit_weight / radix; weight > 0; weight /= radix)
    for (std::int64_t digit = radix - 1; digit >= 1; --digit)
      if (v + digit * weight < at.procs)
        node.children.push_back(rank_of_shifted(at, v + digit * weight));
  return node;
}

Shape kary_shape(RankId procs, std::int64_t radix) {
  Shape shape{.root_children = static_cast<double>(std::min<std::int64_t>(radix, procs - 1))};
  for (std::int64_t last = 0; last < procs - 1; last = last * radix + radix) ++shape.levels;
  return shape;
}

}  // namespace tutti::algorithms::trees
