// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/simplified.hpp"

#include <limits>

namespace tutti::platforms {
namespace {

void make_eager(MessageProtocol& protocol) {
  protocol.eager_max = std::numeric_limits<Bytes>::max();
  protocol.detached_max = -1;
  protocol.copy_max = -1;
  protocol.gap_per_byte.reset();
  protocol.copy_Bps.reset();
  protocol.eager_credits = 0;
  protocol.fragment_max = -1;
}

}  // namespace

Machine without_nodes(const Machine& machine) {
  Machine simplified = machine;
  simplified.intra_node = IntraNode::network;
  simplified.intra = machine.inter;
  simplified.rank_Bps.reset();
  return simplified;
}

Machine without_protocol(const Machine& machine) {
  Machine simplified = machine;
  make_eager(simplified.inter);
  make_eager(simplified.intra);
  simplified.local_copy_Bps.reset();
  return simplified;
}

}  // namespace tutti::platforms
