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
    if (!is_known(event)) [[unlikely]] {
      has_unknown = 1;
      return;
    }
    const auto kind = static_cast<std::size_t>(event.kind);
    ids[kind] = std::max(ids[kind], least_ids(event));
    comms[kind] = std::max(comms[kind], least_comms(event));
    first = std::min(first, event.time);
    last = std::max(last, event.time);
  }
  bool hold(const Event& event) const {
    const auto kind = static_cast<std::size_t>(event.kind);
    return is_known(event) && least_ids(event) <= ids[kind] && least_comms(event) <= comms[kind] &&
           event.time >= first && event.time <= last;
  }
  bool fit(const TraceDefinitions& definitions) const;

 private:
  static bool is_known(const Event& event) {
    return event.kind <= EventKind::other && event.op <= CollectiveOp::other;
  }
  static std::uint64_t least_ids(const Event& event) {
    const bool has_no_root = event.kind == EventKind::collective_end && event.id == none;
    return has_no_root ? 0 : event.id + std::uint64_t{1};
  }
  static std::uint64_t least_comms(const Event& event) { return event.comm + std::uint64_t{1}; }
};

}  // namespace tutti::workloads::traces
