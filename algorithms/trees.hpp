// SPDX-License-Identifier: BSD-3-Clause
// The trees of Open MPI's coll/base (coll_base_topo.c): each rank's parent and children, in the
// order in which the parent serves them. Each function computes one rank's node in O(children),
// without a table of the whole tree. Trees are defined on the shifted rank v = (rank - root) mod P;
// arguments and results are ranks of the communicator.
#pragma once

#include "algorithms/rank_program.hpp"
#include "sim/base/short_list.hpp"

namespace tutti::algorithms::trees {

inline constexpr RankId no_parent = -1;  // parent of the root
inline constexpr int max_chains = 32;    // MAXTREEFANOUT of Open MPI

// A rank of a communicator of `procs` ranks, and the root of the operation.
struct Position {
  RankId rank = 0;
  RankId procs = 1;
  RankId root = 0;
};

inline Position position_of(const Rank& me, RankId root) {
  return {.rank = me.id(), .procs = me.size(), .root = root};
}

using Children = ShortList<RankId, 2>;

struct Node {
  RankId parent = no_parent;
  Children children;  // in the order in which they are served
};

// Convert a rank to v = (rank - root) mod P, and back.
RankId shifted(const Position& at);
RankId unshifted(const Position& at, RankId v);

// Level k has 2^k nodes; v on level k has the children v + 2^k and v + 2 * 2^k. Odd v are in the
// left half of the tree, even v in the right half.
Node binary(const Position& at);
// The parent is v without its highest one bit; children v + 2^j for all 2^j > v, j increasing.
Node balanced_binomial(const Position& at);
// The parent is v without its lowest one bit; children v + 2^j below that bit, j increasing. The
// subtree of child v + 2^j is the contiguous run v + 2^j .. v + 2^(j+1) - 1.
Node in_order_binomial(const Position& at);
// For non-commutative operations; the root is rank P-1, regardless of the call's root. Rank b is
// the root of a run a .. b. The lower half of the run (size rounded down) belongs to its second
// child, the last rank of that half; the remaining ranks below b belong to its first child b - 1.
Node in_order_binary(const Position& at);
// `radix` >= 2. The parent is v with its lowest non-zero digit cleared; children v + r * w for the
// powers w of the radix below that digit, w decreasing, r = 1 .. radix - 1.
Node knomial(const Position& at, int radix);
// v = 1 .. P-1 divided into `fanout` consecutive lines whose heads the root serves in order; the
// first (P-1) mod fanout lines are one rank longer. `fanout` is limited to 1 .. max_chains and to
// P - 1.
Node chain(const Position& at, int fanout);
// A chain of fan-out 1.
Node pipeline(const Position& at);

// The longest path down a tree whose ranks serve their children one after the other: its hops, and
// the children of the root.
struct Shape {
  double levels = 0;
  double root_children = 0;
};
Shape knomial_shape(RankId procs, std::int64_t radix);

// The fan-out that `chain` actually uses; 0 for P = 1.
int effective_fanout(RankId procs, int fanout);

}  // namespace tutti::algorithms::trees
