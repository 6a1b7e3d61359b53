// SPDX-License-Identifier: BSD-3-Clause
// Recursive doubling for scan and exscan: in step d = 1, 2, 4, ... partners rank and rank xor d
// exchange the combined vectors of their groups of d ranks; the upper partner also combines the
// received vector with its prefix.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

enum class Own { within, without };  // own vector within the prefix (scan) or not (exscan)

Task prefix_doubling(Rank& me, CollectiveArgs args, Own own);
// Derived, D = ceil(log2 P): D (exchange(m) + 2 combine(m)), for a rank above all its partners;
// exscan has one operation less, since it copies the first prefix.
Seconds prefix_doubling_cost(const ModelArgs& args, Own own, const models::MessageCost& cost);
// One message per rank and step, except for ranks whose partner does not exist.
std::int64_t prefix_doubling_messages(const ModelArgs& args);

}  // namespace tutti::algorithms
