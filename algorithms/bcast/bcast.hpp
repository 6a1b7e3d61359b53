// SPDX-License-Identifier: BSD-3-Clause
// What several bcast algorithms share.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// Fallbacks of other algorithms.
Task bcast_chain(Rank& me, CollectiveArgs args);
Seconds bcast_chain_cost(const ModelArgs& args, const models::MessageCost& cost);
models::StageForm bcast_chain_stages(const ModelArgs& args, const models::Gamma& gamma);

}  // namespace tutti::algorithms
