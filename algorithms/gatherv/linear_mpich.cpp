// SPDX-License-Identifier: BSD-3-Clause
// MPICH's gatherv: the root posts the receives of all blocks in rank order and waits for all of
// them. From 32 ranks on (MPIR_CVAR_GATHERV_INTER_SSEND_MIN_PROCS, which MPICH applies inside one
// communicator as well), the others send synchronously. Empty blocks are not sent.
//   Derived (linear_train.hpp): one hop, then the other messages follow
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

constexpr RankId least_synchronous_procs = 32;

Task gatherv_linear_mpich(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Slice mine{.bytes = blocks.bytes(me.id()), .buffer = runtime::send_buffer};
  if (me.id() != args.root) {
    if (mine.bytes == 0) co_return;
    if (me.size() < least_synchronous_procs)
      co_await me.send({.to = args.root, .data = mine});
    else
      co_await me.wait(me.issend({.to = args.root, .data = mine}));
    co_return;
  }
  std::vector<Request> requests;
  for (RankId from = 0; from < me.size(); ++from) {
    const Slice block = blocks.block(from);
    if (from == me.id())
      me.copy(block, mine);
    else if (block.bytes > 0)
      requests.push_back(me.irecv({.from = from, .data = block}));
  }
  co_await me.wait_all(requests);
}

}  // namespace

const Algorithm gatherv::linear_mpich{
    .program = gatherv_linear_mpich,
    .cost = filled_train_cost,
    .messages = filled_train_messages,
};

}  // namespace tutti::algorithms
