// SPDX-License-Identifier: BSD-3-Clause
// Finds the ranks of a job that are equivalent (runtime/rank_classes.hpp), before it is simulated.
//
// The pattern of the job's messages is recorded, and a partition of ranks, messages and links is
// refined until it is equitable: two ranks of a class perform the same operations with messages of
// equal classes; two messages of a class have senders and receivers of equal classes and cross, in
// order, links of equal classes; two links of a class have equal properties and are crossed by
// equally many messages of each class. (Refinement of colors: Paige, Tarjan, SIAM J. Computing 16,
// 1987; the colors here are hashes of 64 bits.) The protocol is a deterministic function of this
// structure, and max-min fair rates are unique, so what is equal at the start remains equal: the
// result is that of a simulation of all ranks.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/runtime/rank_classes.hpp"

namespace tutti::engines {

using platforms::LinkId;

struct RankFolding {
  runtime::RankClasses classes;
  // A class of links.
  struct FoldedLink {
    LinkId representative = 0;  // one link of the class
    double links = 1;           // number of links of the class
  };
  // The classes of all links that messages of representatives cross.
  std::unordered_map<LinkId, FoldedLink> links;
};

// Null if there are too many classes, or if the job's course may depend on what is not recorded:
// observers, noise, credits, receives from any source, several paths per message, ...
std::unique_ptr<const RankFolding> fold_ranks(const Job& job);

}  // namespace tutti::engines
