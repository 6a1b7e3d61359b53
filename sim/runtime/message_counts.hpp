// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tutti::runtime {

// Messages of one job. wire_bytes is the payload of all messages, inside nodes included.
struct MessageCounts {
  std::int64_t messages = 0;
  std::int64_t wire_bytes = 0;
  std::int64_t eager_messages = 0;
  std::int64_t detached_messages = 0;
  std::int64_t rendezvous_messages = 0;
  std::int64_t intra_node_messages = 0;
  std::int64_t intra_node_bytes = 0;
};

}  // namespace tutti::runtime
