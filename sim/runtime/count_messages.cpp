// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/count_messages.hpp"

namespace tutti::runtime {
namespace {

[[noreturn]] void too_many_bytes() {
  throw ThrownError(
      usage_error("", "the total size of the job's messages exceeds 2^63 - 1 B (9.22e18 B)",
                  "use smaller messages, fewer processes or fewer repetitions"));
}

}  // namespace

void add_bytes(std::int64_t& sent, Bytes more) {
  if (__builtin_add_overflow(sent, more, &sent)) too_many_bytes();
}

Bytes product_of_bytes(std::int64_t messages, Bytes bytes) {
  Bytes product = 0;
  if (__builtin_mul_overflow(messages, bytes, &product)) too_many_bytes();
  return product;
}

void count_messages(MessageCounts& counts, const platforms::Machine& machine, bool intra_node,
                    Bytes bytes, std::int64_t messages) {
  using platforms::Protocol;
  const Protocol protocol = machine.protocol(intra_node).protocol_of(bytes);
  counts.messages += messages;
  const std::int64_t sent = product_of_bytes(messages, bytes);
  add_bytes(counts.wire_bytes, sent);
  if (protocol == Protocol::eager) counts.eager_messages += messages;
  if (protocol == Protocol::detached) counts.detached_messages += messages;
  if (protocol == Protocol::rendezvous) counts.rendezvous_messages += messages;
  if (!intra_node) return;
  counts.intra_node_messages += messages;
  counts.intra_node_bytes += sent;
}

}  // namespace tutti::runtime
