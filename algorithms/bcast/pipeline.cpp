// SPDX-License-Identifier: BSD-3-Clause
// Pipeline broadcast: a single line of ranks starting at the root, i.e. a chain of fan-out 1.
// Costs are those of the chain: Hockney (P-1 + ns-1) (l + ms/b); one segment is Table 4.1's chain.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/tree_bcast.hpp"

namespace tutti::algorithms {
namespace {

Task bcast_pipeline(Rank& me, CollectiveArgs args) {
  return tree_bcast(me, args, trees::pipeline(trees::position_of(me, args.root)));
}

Seconds bcast_pipeline_cost(const ModelArgs& args, const models::MessageCost& cost) {
  ModelArgs one_line = args;
  one_line.call.fanout = 1;
  return bcast_chain_cost(one_line, cost);
}

models::StageForm bcast_pipeline_stages(const ModelArgs& args, const models::Gamma& gamma) {
  ModelArgs one_line = args;
  one_line.call.fanout = 1;
  return bcast_chain_stages(one_line, gamma);
}

}  // namespace

const Algorithm bcast::pipeline{
    .segmented = true,
    .program = bcast_pipeline,
    .cost = bcast_pipeline_cost,
    .stages = bcast_pipeline_stages,
    .messages = tree_bcast_messages,
};

}  // namespace tutti::algorithms
