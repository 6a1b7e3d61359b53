// SPDX-License-Identifier: BSD-3-Clause
// What several alltoall algorithms share.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// In step s = 1 .. P-1 each rank sends to rank + s and receives from rank - s; does not copy its
// own block. Blocks may differ in size.
Task exchange_pairwise(Rank& me, CollectiveArgs args);
std::vector<StepPhase> exchange_pairwise_steps(const ModelArgs& args);

}  // namespace tutti::algorithms
