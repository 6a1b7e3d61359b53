// SPDX-License-Identifier: BSD-3-Clause
// A time window of a trace as a separate trace. Regions that are open at an edge are entered or
// left there; so are MPI calls, but without their transfers. Only messages and collectives that are
// completely inside are kept.
#pragma once

#include <unordered_set>

#include "sim/base/common.hpp"
#include "workloads/traces/otf2_writer.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// The kept events of a rank by their numbers from 0: a range, with exceptions inside and outside.
struct KeptEvents {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::unordered_set<std::uint64_t> exceptions;

  bool is_inside(std::uint64_t number) const { return number >= begin && number < end; }
  bool keeps(std::uint64_t number) const {
    return is_inside(number) != exceptions.contains(number);
  }
};

// Times relative to the first event of the trace.
struct TimeWindow {
  workloads::traces::Ticks from = 0;
  workloads::traces::Ticks to = INT64_MAX;
};

struct WindowedTrace {
  workloads::traces::Trace trace;  // its times are relative to the beginning of the window
  std::vector<KeptEvents> kept;    // events of the whole trace, by rank
};

// The latest time of all ranks.
workloads::traces::Ticks end_of(const workloads::traces::Trace& trace);

// The notes of the new trace report what is omitted.
WindowedTrace cut_window(const workloads::traces::Trace& whole, const TimeWindow& window);

// For writing: the times of the events of a window, requested for the events of the whole trace.
class WindowTimes : public workloads::traces::NewTimes {
 public:
  using Ticks = workloads::traces::Ticks;

  // `kept` and `times` (of the events of the window) must outlive this object. `in_file`: by rank,
  // the window on the clock of the file.
  WindowTimes(const std::vector<KeptEvents>& kept, NewTimes& times, std::vector<Span> in_file)
      : kept_(kept), times_(times), in_file_(std::move(in_file)), requested_(kept.size()) {}

  Ticks first() const override { return times_.first(); }
  At next(workloads::traces::TraceRank rank) override {
    if (!kept_[rank].keeps(requested_[rank]++)) return {.keep = false};
    return times_.next(rank);
  }
  Span span(workloads::traces::TraceRank rank) const override { return in_file_[rank]; }

 private:
  const std::vector<KeptEvents>& kept_;
  NewTimes& times_;
  std::vector<Span> in_file_;
  std::vector<std::uint64_t> requested_;  // by rank
};

}  // namespace tutti::studies::replay
