// SPDX-License-Identifier: BSD-3-Clause
// Sets of algorithms that compete in `all@SET` and `auto:best@SET`: those that a version of Open
// MPI can be forced to use, those of MPICH and NCCL, and published ones that no library has yet.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::selection {

// The names of Open MPI's rule sets, "mpich", "nccl", "published", "any" (but NCCL's, which run on
// GPUs).
std::span<const std::string_view> algorithm_sets();

// An algorithm of Open MPI is in the sets of the versions in which coll_tuned has its id
// (coll_tuned_*_decision.c of 3.1.0, 4.1, 5.0 and main), unless a later version uses the id for
// another algorithm. MPICH's are those that Open MPI does not have, and those that its decision
// trees choose. The empty set, of `all` and `auto:best`: Open MPI 4.1's and Tutti's own
// algorithms.
bool is_in_set(std::string_view set, const Algorithm& algorithm);

}  // namespace tutti::algorithms::selection
