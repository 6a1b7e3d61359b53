// SPDX-License-Identifier: BSD-3-Clause
// See scan/prefix_doubling.hpp. Preserves the order of the operands.
#include "algorithms/reduction.hpp"
#include "algorithms/scan/prefix_doubling.hpp"
#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {
namespace {

Task scan_recursive_doubling(Rank& me, CollectiveArgs args) {
  return prefix_doubling(me, args, Own::within);
}

Seconds scan_recursive_doubling_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return prefix_doubling_cost(args, Own::within, cost);
}

}  // namespace

const Algorithm scan::recursive_doubling{
    .collective = "scan",
    .name = "recursive_doubling",
    .id = 2,
    .reference = "coll_base_scan.c",
    .summary =
        "partners at distance 1, 2, 4, ... exchange partial sums; the upper one updates its prefix",
    .program = reduction::program<scan_recursive_doubling, reduction::Alone::keeps_own>,
    .cost = reduction::cost<scan_recursive_doubling_cost>,
    .messages = reduction::messages<prefix_doubling_messages>,
};

}  // namespace tutti::algorithms
