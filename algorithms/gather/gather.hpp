// SPDX-License-Identifier: BSD-3-Clause
// The gather algorithms of Open MPI (coll_base_gather.c), and a published one. Before the call, the
// `send_buffer` of each rank contains its block of `message_bytes`; afterwards, the root's
// `recv_buffer` contains the blocks of all ranks, in rank order.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms::gather {

extern const Algorithm basic_linear;
extern const Algorithm binomial;
extern const Algorithm linear_sync;
extern const Algorithm bine;

}  // namespace tutti::algorithms::gather
