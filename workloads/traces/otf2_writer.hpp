// SPDX-License-Identifier: BSD-3-Clause
// Copies an OTF2 archive, with all its definitions and events, to new times.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::workloads::traces {

// The new times of a trace's events. Called for each event of a rank in the trace, thus not for
// passive ones, in the order and with the repairs of read_otf2; the ranks follow each other.
class NewTimes {
 public:
  struct At {
    Ticks time = 0;    // since `first`; not before the rank's previous kept event
    bool keep = true;  // otherwise the event is omitted and `time` ignored
    std::optional<std::uint64_t> bytes = {};  // new size of a message; unset: unchanged
  };
  virtual ~NewTimes() = default;
  virtual Ticks first() const = 0;  // Trace::first
  virtual At next(TraceRank rank) = 0;

  // The time span, in the archive's times, in which events at other locations of the rank's process
  // are kept.
  struct Span {
    Ticks from = 0;
    Ticks to = INT64_MAX;
    bool is_all() const { return from == 0 && to == INT64_MAX; }
    bool contains(Ticks time) const { return time >= from && time <= to; }
  };
  virtual Span span(TraceRank) const { return {}; }
};

// Copies the archive `from`, a path as for read_otf2, to to_folder/traces.otf2; the folder must be
// empty or not exist. Events at locations that are not ranks move with the rank of their process,
// by as much as that rank's nearest earlier event inside its span; regions that are open at the
// edges of the span are entered and left there. Clock offsets are applied and therefore not
// written. Markers, snapshots and thumbnails are omitted.
std::optional<Error> rewrite_otf2(const std::string& from, const std::string& to_folder,
                                  NewTimes& times);

}  // namespace tutti::workloads::traces
