// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/trees.hpp"

namespace tutti::algorithms::trees {
namespace {

// Shifted ranks are computed in 64 bits: v + 2^j may exceed 2^31.
using Shifted = std::int64_t;

void add_child(Node& node, const Position& at, Shifted v) {
  if (v < at.procs) node.children.push_back(unshifted(at, static_cast<RankId>(v)));
}

Node child_of(const Position& at, Shifted parent) {
  return {unshifted(at, static_cast<RankId>(parent)), {}};
}

// The size of the level of a binary tree that contains v: 1, 2, 4, ...
Shifted binary_level_size(Shifted v) {
  return static_cast<Shifted>(std::bit_floor(static_cast<std::uint64_t>(v + 1)));
}

// Divides the shifted ranks 1 .. P-1 into lines: the first `long_lines` have `longest` ranks, the
// others one less.
struct Lines {
  Shifted longest;
  Shifted long_lines;

  Lines(RankId procs, int fanout)
      : longest((procs - 1 + fanout - 1) / fanout), long_lines((procs - 1) % fanout) {
    if (long_lines == 0) long_lines = fanout;
  }
  Shifted head(Shifted line) const {
    return 1 + line * longest - std::max<Shifted>(0, line - long_lines);
  }
  Shifted line_of(Shifted v) const {
    const Shifted in_long_lines = long_lines * longest;
    if (v - 1 < in_long_lines) return (v - 1) / longest;
    return long_lines + (v - 1 - in_long_lines) / (longest - 1);
  }
};

}  // namespace

RankId shifted(const Position& at) {
  return at.rank >= at.root ? at.rank - at.root : at.rank - at.root + at.procs;
}

RankId unshifted(const Position& at, RankId v) {
  return static_cast<RankId>((static_cast<Shifted>(v) + at.root) % at.procs);
}

Node binary(const Position& at) {
  const Shifted v = shifted(at);
  const Shifted level_size = binary_level_size(v);
  Node node;
  if (v > 0) {
    // The level above is 0-based at level_size / 2 - 1 and ends before level_size - 1.
    const Shifted left = v - level_size / 2;
    node = child_of(at, left < level_size - 1 ? left : v - level_size);
  }
  add_child(node, at, v + level_size);
  add_child(node, at, v + 2 * level_size);
  return node;
}

Node balanced_binomial(const Position& at) {
  const Shifted v = shifted(at);
  const auto highest = static_cast<Shifted>(std::bit_floor(static_cast<std::uint64_t>(v)));
  Node node;
  if (v > 0) node = child_of(at, v - highest);
  for (Shifted bit = v > 0 ? 2 * highest : 1; v + bit < at.procs; bit *= 2)
    add_child(node, at, v + bit);
  return node;
}

Node in_order_binomial(const Position& at) {
  const Shifted v = shifted(at);
  const Shifted lowest = v > 0 ? (v & -v) : at.procs;
  Node node;
  if (v > 0) node = child_of(at, v - lowest);
  for (Shifted bit = 1; bit < lowest && v + bit < at.procs; bit *= 2) add_child(node, at, v + bit);
  return node;
}

Node in_order_binary(const Position& at) {
  Node node;
  RankId first = 0;  // first rank of the run whose root is `top`
  RankId top = at.procs - 1;
  const auto second = [&] { return first + (top - first + 1) / 2 - 1; };
  while (at.rank != top) {
    node.parent = top;
    if (const RankId lower = second(); at.rank <= lower) {
      top = lower;
    } else {
      first = lower + 1;
      --top;
    }
  }
  if (top - 1 > second()) node.children.push_back(top - 1);
  if (second() >= first) node.children.push_back(second());
  return node;
}

Node knomial(const Position& at, int radix) {
  TUTTI_CHECK(radix >= 2, "a k-nomial tree needs a radix of at least 2");
  const Shifted v = shifted(at);
  Shifted weight = 1;  // weight of v's lowest non-zero digit; root: the first power >= P
  while (weight < at.procs && v % (radix * weight) == 0) weight *= radix;
  Node node;
  if (v > 0) node = child_of(at, v - v % (radix * weight));
  for (weight /= radix; weight > 0; weight /= radix)
    for (Shifted child = v + weight; child < std::min<Shifted>(v + radix * weight, at.procs);
         child += weight)
      add_child(node, at, child);
  return node;
}

Shape knomial_shape(RankId procs, std::int64_t radix) {
  Shape shape;
  for (std::int64_t weight = 1; weight < procs; weight *= radix) {
    ++shape.levels;
    shape.root_children += static_cast<double>(std::min(radix - 1, (procs - 1) / weight));
  }
  return shape;
}

int effective_fanout(RankId procs, int fanout) {
  return std::min<int>(std::clamp(fanout, 1, max_chains), procs - 1);
}

Node chain(const Position& at, int fanout) {
  Node node;
  if (at.procs == 1) return node;
  const int lines_in_use = effective_fanout(at.procs, fanout);
  const Lines lines(at.procs, lines_in_use);
  const Shifted v = shifted(at);
  if (v == 0) {
    for (int line = 0; line < lines_in_use; ++line) add_child(node, at, lines.head(line));
    return node;
  }
  const Shifted line = lines.line_of(v);
  node = child_of(at, v == lines.head(line) ? 0 : v - 1);
  if (v + 1 < lines.head(line + 1)) add_child(node, at, v + 1);
  return node;
}

Node pipeline(const Position& at) { return chain(at, 1); }

}  // namespace tutti::algorithms::trees
