// SPDX-License-Identifier: BSD-3-Clause
// How much there must be for all that events name, so that who gets them from a process that may
// have damaged its memory knows that they name nothing that is not there.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "workloads/traces/event.hpp"

namespace tutti::workloads::traces {

struct TraceDefinitions;

struct EventBounds {
  static constexpr std::size_t kinds = static_cast<std::size_t>(EventKind::other) + 1;
  // Before the first event of all ranks, and longer than any trace.
  static constexpr Ticks most_ticks = Ticks{1} << 62;

  std::array<std::uint64_t, kinds> ids{};  // by kind: the highest, and 1
  std::array<std::uint64_t, kinds> comms{};
  Ticks first = most_ticks;
  Ticks last = 0;
  bool has_unknown = false;  // kinds or operations

  void add(std::span<const Event> events);
  bool fit(const TraceDefinitions& definitions) const;
};

}  // namespace tutti::workloads::traces
