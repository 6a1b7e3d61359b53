// SPDX-License-Identifier: BSD-3-Clause
// The scatters of Open MPI 4.1 (coll_base_scatter.c). Before the call the root's `send_buffer`
// holds a block of `message_bytes` for each rank, in rank order; afterwards everyone's
// `recv_buffer` holds its own.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::scatter {

extern const Algorithm basic_linear;
extern const Algorithm binomial;
extern const Algorithm linear_nb;

}  // namespace tutti::algorithms::scatter
