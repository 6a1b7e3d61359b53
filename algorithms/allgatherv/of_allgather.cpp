// SPDX-License-Identifier: BSD-3-Clause
// The allgatherv algorithms that work like the allgather algorithms of the same name, with blocks
// of any size.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/allgatherv/allgatherv.hpp"
#include "algorithms/two_proc.hpp"

namespace tutti::algorithms {

const Algorithm allgatherv::ring{
    .collective = "allgatherv",
    .name = "ring",
    .id = 3,
    .reference = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .summary = "blocks travel around a ring, one rank further in each of P-1 steps",
    .program = allgather_ring,
    .cost = allgather_ring_cost,
    .messages = allgather_ring_messages,
    .steps = allgather_ring_steps,
};

const Algorithm allgatherv::neighbor{
    .collective = "allgatherv",
    .name = "neighbor",
    .id = 4,
    .restriction = "an even P",
    .reference = "Chen et al., HPC Asia 2005",
    .summary = "ring neighbors exchange their two latest blocks, left and right in turn",
    .program = allgather_neighbor,
    .cost = allgather_neighbor_cost,
    .messages = allgather_neighbor_messages,
    .falls_back_to = allgather_neighbor_falls_back_to,
    .steps = allgather_neighbor_steps,
};

const Algorithm allgatherv::two_proc{
    .collective = "allgatherv",
    .name = "two_proc",
    .id = 5,
    .restriction = algorithms::two_proc::restriction,
    .reference = "Open MPI, coll_base_allgatherv.c",
    .summary = "two processes exchange their blocks",
    .program = allgather_two_proc,
    .cost = allgather_two_proc_cost,
    .messages = algorithms::two_proc::messages,
    .runs = algorithms::two_proc::runs,
};

namespace {

// Every rank receives each non-empty block of another rank once.
std::int64_t allgatherv_sparbit_messages(const ModelArgs& args) {
  return RankBlocks::of_blocks(args.call, args.procs).filled() * (args.procs - 1);
}

}  // namespace

const Algorithm allgatherv::sparbit{
    .collective = "allgatherv",
    .name = "sparbit",
    .id = 6,
    .set = "ompi-5.0",
    .reference = "Loch, Koslovski, IEEE CloudCom 2021",
    .summary = "as bruck, but the longest distance first and each block in its own message",
    .program = allgatherv_sparbit,
    .cost = allgather_sparbit_cost,
    .messages = allgatherv_sparbit_messages,
};

}  // namespace tutti::algorithms
