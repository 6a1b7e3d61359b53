// SPDX-License-Identifier: BSD-3-Clause
// Counts of messages, also for messages that are not simulated.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::runtime {

// Messages of one job. wire_bytes is the payload of all messages, including those inside nodes.
struct MessageCounts {
  std::int64_t messages = 0;
  std::int64_t wire_bytes = 0;
  std::int64_t eager_messages = 0;
  std::int64_t detached_messages = 0;
  std::int64_t rendezvous_messages = 0;
  std::int64_t intra_node_messages = 0;
  std::int64_t intra_node_bytes = 0;
};

inline constexpr std::int64_t MessageCounts::*message_counts_fields[] = {
    &MessageCounts::messages,
    &MessageCounts::wire_bytes,
    &MessageCounts::eager_messages,
    &MessageCounts::detached_messages,
    &MessageCounts::rendezvous_messages,
    &MessageCounts::intra_node_messages,
    &MessageCounts::intra_node_bytes};

// Adds `more` to `sent`. Throws an error of kind usage if the sum exceeds 2^63 - 1 B.
void add_bytes(std::int64_t& sent, Bytes more);
// The same for the size of several messages.
Bytes product_of_bytes(std::int64_t messages, Bytes bytes);

// Adds `messages` messages of `bytes` bytes each; a negative number subtracts messages.
void count_messages(MessageCounts& counts, const platforms::Machine& machine, bool intra_node,
                    Bytes bytes, std::int64_t messages);

}  // namespace tutti::runtime
