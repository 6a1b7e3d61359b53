// SPDX-License-Identifier: BSD-3-Clause
// The recursive doubling that scan and exscan share: in step d = 1, 2, 4, ... partners rank and
// rank xor d exchange the sum of the ranks around them; who is above adds the other's to its
// prefix.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

enum class Own { within, without };  // the prefix: scan, exscan

Task prefix_doubling(Rank& me, CollectiveArgs args, Own own);
// Derived, D = ceil(log2 P): D (exchange(m) + 2 combine(m)), as of a rank above all its partners;
// one operation less without its own, since the first prefix is copied.
Seconds prefix_doubling_cost(const ModelArgs& args, Own own, const models::MessageCost& cost);
// One of each rank in each step, but those whose partner does not exist.
std::int64_t prefix_doubling_messages(const ModelArgs& args);

}  // namespace tutti::algorithms
