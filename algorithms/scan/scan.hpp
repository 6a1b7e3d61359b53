// SPDX-License-Identifier: BSD-3-Clause
// The inclusive scan algorithms of Open MPI 4.1 (coll_base_scan.c). Before the call, the
// `send_buffer` of each rank contains its vector; afterwards, its `recv_buffer` contains the result
// of the operation on the vectors of all ranks up to its own.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms::scan {

extern const Algorithm linear;
extern const Algorithm recursive_doubling;
extern const Algorithm smp;  // MPICH's

}  // namespace tutti::algorithms::scan
