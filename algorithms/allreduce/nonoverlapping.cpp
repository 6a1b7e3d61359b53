// SPDX-License-Identifier: BSD-3-Clause
// Non-overlapping allreduce: a reduction to rank 0, then a broadcast from there, each with the
// algorithm that the decision rules choose.
#include "algorithms/allreduce/allreduce.hpp"

namespace tutti::algorithms {
namespace {

selection::InnerCalls reduce_then_bcast(const CollectiveArgs& args, int /*procs*/) {
  const auto vector = selection::inner_args(args, args.message_bytes);
  return {{{"reduce", vector}, {"bcast", vector}}};
}

}  // namespace

const Algorithm allreduce::nonoverlapping{
    .program = reduction::program<selection::run_in_turn<reduce_then_bcast>>,
    .cost = reduction::cost<selection::cost_in_turn<reduce_then_bcast>>,
    .messages = reduction::messages<selection::messages_in_turn<reduce_then_bcast>>,
    .made_of = reduction::made_of<selection::made_in_turn<reduce_then_bcast>>,
};

}  // namespace tutti::algorithms
