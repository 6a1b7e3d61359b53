// SPDX-License-Identifier: BSD-3-Clause
// Linear allgather: a gather to rank 0, then a broadcast of the whole result, each with the
// algorithm that Open MPI's decision function chooses.
#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

selection::InnerCalls calls_of(const CollectiveArgs& args, int procs) {
  CollectiveArgs gathered = args;
  gathered.root = 0;
  CollectiveArgs broadcast = gathered;
  broadcast.message_bytes *= procs;
  return {{{"gather", gathered}, {"bcast", broadcast}}};
}

}  // namespace

const Algorithm allgather::linear{
    .program = selection::run_in_turn<calls_of>,
    .cost = selection::cost_in_turn<calls_of>,
    .messages = selection::messages_in_turn<calls_of>,
    .made_of = selection::made_in_turn<calls_of>,
};

}  // namespace tutti::algorithms
