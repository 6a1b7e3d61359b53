// SPDX-License-Identifier: BSD-3-Clause
// The inclusive scans of Open MPI 4.1 (coll_base_scan.c). Before the call a rank's `send_buffer`
// holds its vector, afterwards its `recv_buffer` holds the result of the operation on that of the
// ranks up to its own.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::scan {

extern const Algorithm linear;
extern const Algorithm recursive_doubling;

}  // namespace tutti::algorithms::scan
