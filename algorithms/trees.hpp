// SPDX-License-Identifier: BSD-3-Clause
// The trees of Open MPI's coll/base (coll_base_topo.c): who is whose parent, and in which order a
// parent serves its children. Each function computes one rank's place in O(children), with no table
// of the whole tree. Trees are defined on the shifted rank v = (rank - root) mod P; the ranks that
// go in and come out are those of the communicator.
#pragma once

#include "algorithms/rank_program.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::trees {

inline constexpr RankId no_parent = -1;  // of the root
inline constexpr int max_chains = 32;    // MAXTREEFANOUT of Open MPI

// One rank of a communicator of `procs` ranks, and the root of the operation.
struct Position {
  RankId rank = 0;
  RankId procs = 1;
  RankId root = 0;
};

inline Position position_of(const Rank& me, RankId root) {
  return {.rank = me.id(), .procs = me.size(), .root = root};
}

struct Node {
  RankId parent = no_parent;
  std::vector<RankId> children;  // in the order in which they are served
};

// v = (rank - root) mod P, and back.
RankId shifted(const Position& at);
RankId unshifted(const Position& at, RankId v);

// Level k holds 2^k nodes; v on level k has the children v + 2^k and v + 2 * 2^k. Odd v are in the
// left half of the tree, even v in the right half.
Node binary(const Position& at);
// The parent is v without its highest one bit; children v + 2^j for all 2^j > v, j increasing.
Node balanced_binomial(const Position& at);
// The parent is v without its lowest one bit; children v + 2^j below that bit, j increasing. The
// subtree of child v + 2^j is the contiguous run v + 2^j .. v + 2^(j+1) - 1.
Node in_order_binomial(const Position& at);
// For operations that are not commutative; its root is rank P-1, whatever the call's. Rank b is the
// root of a run a .. b: the lower half of it (floor of its size) is its second child's, who is the
// last of that run, the ranks between that and b are those of its first child b - 1.
Node in_order_binary(const Position& at);
// `radix` >= 2. The parent is v with its lowest non-zero digit cleared; children v + r * w for the
// powers w of the radix below that digit, w decreasing, r = 1 .. radix - 1.
Node knomial(const Position& at, int radix);
// v = 1 .. P-1 cut into `fanout` consecutive lines whose heads the root serves in order; the first
// (P-1) mod fanout lines are one longer. fanout < 1 means 1; at most max_chains and P - 1.
Node chain(const Position& at, int fanout);
// One line: a chain of fan-out 1.
Node pipeline(const Position& at);

// The fan-out that `chain` really uses; 0 for P = 1.
int effective_fanout(RankId procs, int fanout);

}  // namespace tutti::algorithms::trees
