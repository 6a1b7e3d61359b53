// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/count_messages.hpp"

namespace tutti::runtime {

void count_messages(MessageCounts& counts, const platforms::Machine& machine, bool intra_node,
                    Bytes bytes, std::int64_t messages) {
  using platforms::Protocol;
  const Protocol protocol = machine.protocol(intra_node).protocol_of(bytes);
  counts.messages += messages;
  counts.wire_bytes += messages * bytes;
  if (protocol == Protocol::eager) counts.eager_messages += messages;
  if (protocol == Protocol::detached) counts.detached_messages += messages;
  if (protocol == Protocol::rendezvous) counts.rendezvous_messages += messages;
  if (!intra_node) return;
  counts.intra_node_messages += messages;
  counts.intra_node_bytes += messages * bytes;
}

}  // namespace tutti::runtime
