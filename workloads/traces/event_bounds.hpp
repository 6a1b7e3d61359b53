// SPDX-License-Identifier: BSD-3-Clause
// How much there must be for all that events name, so that who gets them from a process that may
// have damaged its memory knows that they name nothing that is not there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

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
  std::uint8_t has_unknown = 0;  // kinds or operations: 1; any byte may come from elsewhere

  void add(const Event& event) {
    if (event.kind > EventKind::other || event.op > CollectiveOp::other) [[unlikely]] {
      has_unknown = 1;
      return;
    }
    const auto kind = static_cast<std::size_t>(event.kind);
    const bool has_no_root = event.kind == EventKind::collective_end && event.id == none;
    ids[kind] = std::max(ids[kind], has_no_root ? 0 : event.id + std::uint64_t{1});
    comms[kind] = std::max(comms[kind], event.comm + std::uint64_t{1});
    first = std::min(first, event.time);
    last = std::max(last, event.time);
  }
  bool fit(const TraceDefinitions& definitions) const;
};

}  // namespace tutti::workloads::traces
