// SPDX-License-Identifier: BSD-3-Clause
// See scan/prefix_doubling.hpp. Preserves the order of the operands.
#include "algorithms/exscan/exscan.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/scan/prefix_doubling.hpp"

namespace tutti::algorithms {
namespace {

Task exscan_recursive_doubling(Rank& me, CollectiveArgs args) {
  return prefix_doubling(me, args, Own::without);
}

Seconds exscan_recursive_doubling_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return prefix_doubling_cost(args, Own::without, cost);
}

}  // namespace

const Algorithm exscan::recursive_doubling{
    .collective = "exscan",
    .name = "recursive_doubling",
    .id = 2,
    .reference = "coll_base_exscan.c",
    .summary =
        "partners at distance 1, 2, 4, ... exchange partial sums; the upper one updates its prefix",
    .program = reduction::program<exscan_recursive_doubling, reduction::Alone::has_none>,
    .cost = reduction::cost<exscan_recursive_doubling_cost>,
    .messages = reduction::messages<prefix_doubling_messages>,
};

}  // namespace tutti::algorithms
