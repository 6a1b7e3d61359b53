// SPDX-License-Identifier: BSD-3-Clause
// The allgatherv algorithms that work like the allgather algorithms of the same name, with blocks
// of any size.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/allgatherv/allgatherv.hpp"

namespace tutti::algorithms {
namespace {

// The entries of allgather are initialized before any that is copied from them (constinit).
Algorithm as_allgatherv(Algorithm algorithm, int id) {
  algorithm.collective = "allgatherv";
  algorithm.id = id;
  return algorithm;
}

Algorithm two_proc_of_counts() {
  Algorithm algorithm = as_allgatherv(allgather::two_proc, 5);
  algorithm.reference = "Open MPI, coll_base_allgatherv.c";
  return algorithm;
}

// Every rank receives each non-empty block of another rank once.
std::int64_t allgatherv_sparbit_messages(const ModelArgs& args) {
  return RankBlocks::of_blocks(args.call, args.procs).filled() * (args.procs - 1);
}

Algorithm sparbit_of_counts() {
  Algorithm algorithm = as_allgatherv(allgather::sparbit, 6);
  algorithm.program = allgatherv_sparbit;
  algorithm.messages = allgatherv_sparbit_messages;
  return algorithm;
}

}  // namespace

const Algorithm allgatherv::ring = as_allgatherv(allgather::ring, 3);
const Algorithm allgatherv::neighbor = as_allgatherv(allgather::neighbor, 4);
const Algorithm allgatherv::two_proc = two_proc_of_counts();
const Algorithm allgatherv::sparbit = sparbit_of_counts();

}  // namespace tutti::algorithms
