// SPDX-License-Identifier: BSD-3-Clause
// Basic linear reduce_scatter_block: a reduction to rank 0, then a scatter from there, each with
// the algorithm that the decision rules choose.
#include "algorithms/reduce_scatter/reduce_and_deal.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

selection::InnerCalls reduce_then_scatter(const CollectiveArgs& args, int procs) {
  return {{{"reduce", selection::inner_args(args, procs * args.message_bytes)},
           {"scatter", selection::inner_args(args, args.message_bytes)}}};
}

}  // namespace

const Algorithm reduce_scatter_block::basic_linear{
    .program = reduction::program<reduce_scatter::reduce_and_deal<reduce_then_scatter>>,
    .cost = reduction::cost<selection::cost_in_turn<reduce_then_scatter>>,
    .messages = reduction::messages<selection::messages_in_turn<reduce_then_scatter>>,
    .made_of = reduction::made_of<selection::made_in_turn<reduce_then_scatter>>,
};

}  // namespace tutti::algorithms
