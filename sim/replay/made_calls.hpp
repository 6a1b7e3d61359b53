// SPDX-License-Identifier: BSD-3-Clause
// Calls that a hypothesis puts into a trace (replacement.hpp). Their enter says so, in
// Event::bytes, which enters of traces do not use.
#pragma once

#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

namespace made {
inline constexpr std::uint64_t estimated = 1;  // what it takes is not recorded
inline constexpr std::uint64_t added = 2;      // its caller has one call more
inline constexpr std::uint64_t moved = 4;      // its message was sent at another time than it says
}  // namespace made

inline bool is_made(const workloads::traces::Event& enter, std::uint64_t how) {
  return (enter.bytes & how) != 0;
}

}  // namespace tutti::studies::replay
