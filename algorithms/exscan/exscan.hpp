// SPDX-License-Identifier: BSD-3-Clause
// The exclusive scan algorithms of Open MPI 4.1 (coll_base_exscan.c). Before the call, the
// `send_buffer` of each rank contains its vector; afterwards, its `recv_buffer` contains the result
// of the operation on the vectors of all lower ranks (that of rank 0 is unchanged).
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms::exscan {

extern const Algorithm linear;
extern const Algorithm recursive_doubling;

}  // namespace tutti::algorithms::exscan
