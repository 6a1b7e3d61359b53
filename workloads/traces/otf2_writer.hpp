// SPDX-License-Identifier: BSD-3-Clause
// Writes an OTF2 archive again, at other times: all of its definitions and events.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::workloads::traces {

// When the events of a trace are now. Asked for each event of a rank in the order and with the
// repairs of read_otf2, for those of kind `other` as well; the ranks one after the other.
class NewTimes {
 public:
  struct At {
    Ticks time = 0;    // from `first` on; not before the last one of this rank that is kept
    bool keep = true;  // otherwise the event is left out, and the time counts for nothing
    std::optional<std::uint64_t> bytes = {};  // of a message, where it is not as it was
  };
  virtual ~NewTimes() = default;
  virtual Ticks first() const = 0;  // Trace::first
  virtual At next(TraceRank rank) = 0;

  // Of what is at other locations of the rank's process only this is kept; times of the archive.
  struct Span {
    Ticks from = 0;
    Ticks to = INT64_MAX;
    bool is_all() const { return from == 0 && to == INT64_MAX; }
    bool contains(Ticks time) const { return time >= from && time <= to; }
  };
  virtual Span span(TraceRank) const { return {}; }
};

// From the archive `from`, as read_otf2 takes it, to to_folder/traces.otf2: a folder that is empty
// or does not exist. What is at locations that are no ranks moves with the rank of their process:
// by as much as that rank's nearest earlier event inside its span; regions that are open at the
// span's edges are entered and left there. Clock offsets are applied, so that none are written.
// Markers, snapshots and thumbnails are left out.
std::optional<Error> rewrite_otf2(const std::string& from, const std::string& to_folder,
                                  NewTimes& times);

}  // namespace tutti::workloads::traces
