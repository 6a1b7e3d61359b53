// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's default allgatherv: a gatherv to rank 0, then a broadcast of the whole result, each
// with the algorithm that its decision function chooses. The broadcast has ONE element, a datatype
// of all blocks: algorithms that divide their message into blocks or segments cannot divide it.

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

selection::InnerCalls gather_and_bcast_calls(const CollectiveArgs& args, int procs) {
  CollectiveArgs gathered = args;
  gathered.root = 0;
  const Bytes bytes = RankBlocks::of_blocks(args, procs).total();
  CollectiveArgs sent = selection::inner_args(args, bytes);
  sent.element_bytes = std::max<Bytes>(bytes, 1);
  return {{{"gatherv", gathered}, {"bcast", sent}}};
}

}  // namespace

const Algorithm allgatherv::gather_and_bcast{
    .program = selection::run_in_turn<gather_and_bcast_calls>,
    .cost = selection::cost_in_turn<gather_and_bcast_calls>,
    .messages = selection::messages_in_turn<gather_and_bcast_calls>,
    .made_of = selection::made_in_turn<gather_and_bcast_calls>,
};

}  // namespace tutti::algorithms
