// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms a version of Open MPI has (coll_tuned_*_decision.c of 3.1.0).
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::selection {

// Whether Open MPI 3.1 can be told to use it: it is among the ids of coll_tuned of that version.
bool is_in_ompi_31(const Algorithm& algorithm);

}  // namespace tutti::algorithms::selection
