// SPDX-License-Identifier: BSD-3-Clause
// The allgatherv algorithms that work like the allgather algorithms of the same name, with blocks
// of any size.
#include "algorithms/algorithm.hpp"
#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

// Every rank receives each non-empty block of another rank once.
std::int64_t allgatherv_sparbit_messages(const ModelArgs& args) {
  return RankBlocks::of_blocks(args.call, args.procs).filled() * (args.procs - 1);
}

Algorithm sparbit_of_counts() {
  Algorithm algorithm = allgather::sparbit;
  algorithm.program = allgatherv_sparbit;
  algorithm.messages = allgatherv_sparbit_messages;
  return algorithm;
}

}  // namespace

// The entries of allgather are initialized before any that is copied from them (constinit).
const Algorithm allgatherv::ring = allgather::ring;
const Algorithm allgatherv::neighbor = allgather::neighbor;
const Algorithm allgatherv::two_proc = allgather::two_proc;
const Algorithm allgatherv::sparbit = sparbit_of_counts();

}  // namespace tutti::algorithms
