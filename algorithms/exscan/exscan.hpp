// SPDX-License-Identifier: BSD-3-Clause
// The exclusive scans of Open MPI 4.1 (coll_base_exscan.c). Before the call a rank's `send_buffer`
// holds its vector, afterwards its `recv_buffer` holds the result of the operation on that of the
// ranks below its own (rank 0's is not touched).
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::exscan {

extern const Algorithm linear;
extern const Algorithm recursive_doubling;

}  // namespace tutti::algorithms::exscan
