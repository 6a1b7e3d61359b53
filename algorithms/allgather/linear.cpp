// SPDX-License-Identifier: BSD-3-Clause
// Linear allgather: a gather to rank 0, then a broadcast of the whole result, each by the algorithm
// that Open MPI's decision function picks for it.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/selection/in_turn.hpp"

namespace tutti::algorithms {
namespace {

using runtime::Rank;
using runtime::Task;

selection::InnerCalls calls_of(const CollectiveArgs& args, int procs) {
  CollectiveArgs gathered = args;
  gathered.root = 0;
  CollectiveArgs broadcast = gathered;
  broadcast.message_bytes *= procs;
  return {{{"gather", gathered}, {"bcast", broadcast}}};
}

Task allgather_linear(Rank& me, CollectiveArgs args) {
  const selection::InnerCalls calls = calls_of(args, me.size());
  co_await selection::run_decided(calls[0].collective, me, calls[0].args);
  co_await selection::run_decided(calls[1].collective, me, calls[1].args);
}

}  // namespace

const Algorithm allgather::linear{
    .collective = "allgather",
    .name = "linear",
    .id = 1,
    .reference = "Open MPI, coll_base_allgather.c",
    .summary = "a gather to rank 0, then a broadcast of the whole result",
    .program = allgather_linear,
    .cost = selection::cost_in_turn<calls_of>,
    .messages = selection::messages_in_turn<calls_of>,
    .made_of = selection::made_in_turn<calls_of>,
};

}  // namespace tutti::algorithms
