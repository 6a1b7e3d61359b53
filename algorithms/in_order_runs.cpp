// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/in_order_runs.hpp"

namespace tutti::algorithms::trees {

std::int64_t in_order_subtree(const Position& at) {
  const std::int64_t v = shifted(at);
  return v == 0 ? at.procs : std::min(v & -v, at.procs - v);
}

Seconds in_order_runs_cost(const ModelArgs& args, const models::MessageCost& cost) {
  Seconds total_s = 0;
  for (std::int64_t v = 1; v < args.procs; v *= 2)
    total_s += cost.hop(std::min(v, args.procs - v) * args.call.message_bytes);
  return total_s;
}

}  // namespace tutti::algorithms::trees
