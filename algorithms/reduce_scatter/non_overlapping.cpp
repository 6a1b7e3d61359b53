// SPDX-License-Identifier: BSD-3-Clause
// Non-overlapping reduce_scatter: a reduction to rank 0, then a scatterv from there, each with the
// algorithm that the decision rules choose.
#include "algorithms/reduce_scatter/reduce_and_deal.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

selection::InnerCalls reduce_then_scatterv(const CollectiveArgs& args, int procs) {
  const auto reduced = selection::inner_args(args, RankBlocks::of_vector(args, procs).total());
  const DealtCall scattered = dealt_call(args, procs);
  return {{{"reduce", reduced}, {"scatterv", scattered.args, scattered.table}}};
}

}  // namespace

const Algorithm reduce_scatter::non_overlapping{
    .program = reduction::program<reduce_scatter::reduce_and_deal<reduce_then_scatterv>>,
    .cost = reduction::cost<selection::cost_in_turn<reduce_then_scatterv>>,
    .messages = reduction::messages<selection::messages_in_turn<reduce_then_scatterv>>,
    .made_of = reduction::made_of<selection::made_in_turn<reduce_then_scatterv>>,
};

}  // namespace tutti::algorithms
