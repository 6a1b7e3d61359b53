// SPDX-License-Identifier: BSD-3-Clause
// The barriers of Open MPI 4.1 (coll_base_barrier.c): empty messages, and no rank leaves before the
// last one has come. Where Open MPI's last sends are synchronous ours are standard ones: a rank
// leaves without the receiver's answer.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::barrier {

extern const Algorithm linear;
extern const Algorithm double_ring;
extern const Algorithm recursive_doubling;
extern const Algorithm bruck;
extern const Algorithm two_proc;
extern const Algorithm tree;

}  // namespace tutti::algorithms::barrier
