// SPDX-License-Identifier: BSD-3-Clause
// The scatter algorithms of Open MPI (coll_base_scatter.c), and a published one. Before the call,
// the root's
// `send_buffer` contains a block of `message_bytes` for each rank, in rank order; afterwards, the
// `recv_buffer` of each rank contains its block.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms::scatter {

extern const Algorithm basic_linear;
extern const Algorithm binomial;
extern const Algorithm linear_nb;
extern const Algorithm bine;

}  // namespace tutti::algorithms::scatter
