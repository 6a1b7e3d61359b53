// SPDX-License-Identifier: BSD-3-Clause
// What MPI matches messages by: those of one key are received in the order in which they were sent.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

using workloads::traces::Event;
using workloads::traces::EventKind;
using workloads::traces::Ticks;
using workloads::traces::TraceRank;

struct MessageKey {
  TraceRank from = 0;
  TraceRank to = 0;
  std::uint32_t comm = 0;
  std::uint32_t tag = 0;
  bool operator==(const MessageKey&) const = default;
};

// Of what the rank sends, or receives.
inline MessageKey key_of(TraceRank rank, const Event& event) {
  const bool sends = event.kind == EventKind::send || event.kind == EventKind::isend;
  return sends ? MessageKey{rank, event.id, event.comm, event.tag}
               : MessageKey{event.id, rank, event.comm, event.tag};
}

struct HashMessageKey {
  std::size_t operator()(const MessageKey& key) const {
    // Multiplying by odd numbers spreads the low bits, which tables look at, to the high ones.
    std::uint64_t mixed = (std::uint64_t{key.from} << 32 | key.to) * 0x9e3779b97f4a7c15;
    mixed ^= (std::uint64_t{key.comm} << 32 | key.tag) * 0xc2b2ae3d27d4eb4f;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }
};

template <class Value>
using ByMessageKey = std::unordered_map<MessageKey, Value, HashMessageKey>;

// The n-th message of a key, from 0 on.
struct MessageNumber {
  MessageKey key;
  std::uint64_t number = 0;
  bool operator==(const MessageNumber&) const = default;
};
struct HashMessageNumber {
  std::size_t operator()(const MessageNumber& message) const {
    return HashMessageKey{}(message.key) ^
           static_cast<std::size_t>(message.number * 0x165667b19e3779f9);
  }
};

}  // namespace tutti::studies::replay
