// SPDX-License-Identifier: BSD-3-Clause
// MPICH's barrier recexch: its allreduce by recursive exchange without data
// (allreduce/recexch.hpp).
#include "algorithms/allreduce/recexch.hpp"

#include "algorithms/barrier/barrier.hpp"

namespace tutti::algorithms {

const Algorithm barrier::recexch{
    .collective = "barrier",
    .name = "recexch",
    .set = mpich::set,
    .default_fanout = default_exchange_radix,
    .least_fanout = 2,
    .reference = "MPICH, barrier_intra_recexch.c",
    .summary = "recursive doubling of radix k: k partners exchange messages in each phase",
    .program = exchange_vectors,
    .cost = exchange_vectors_cost,
    .messages = exchange_vectors_messages,
};

}  // namespace tutti::algorithms
