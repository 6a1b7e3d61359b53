// SPDX-License-Identifier: BSD-3-Clause
// MPICH's barrier recexch: its allreduce by recursive exchange without data
// (allreduce/recexch.hpp).
#include "algorithms/allreduce/recexch.hpp"

namespace tutti::algorithms {

const Algorithm barrier::recexch{
    .default_fanout = default_exchange_radix,
    .least_fanout = 2,
    .program = exchange_vectors,
    .cost = exchange_vectors_cost,
    .messages = exchange_vectors_messages,
};

}  // namespace tutti::algorithms
