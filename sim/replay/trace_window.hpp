// SPDX-License-Identifier: BSD-3-Clause
// A part of a trace, from one time to another, as a trace of its own. Regions that are open at an
// edge are entered, or left, there; calls of MPI at an edge too, but without what they transfer. Of
// messages and collectives only those are kept that are inside as a whole.
#pragma once

#include <unordered_set>

#include "sim/base/common.hpp"
#include "workloads/traces/otf2_writer.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// Of a rank's events, by their numbers from 0 on: those of a range, with exceptions both ways.
struct KeptEvents {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::unordered_set<std::uint64_t> exceptions;

  bool is_inside(std::uint64_t number) const { return number >= begin && number < end; }
  bool keeps(std::uint64_t number) const {
    return is_inside(number) != exceptions.contains(number);
  }
};

// Times of a trace's events, from its first one on.
struct TimeWindow {
  workloads::traces::Ticks from = 0;
  workloads::traces::Ticks to = INT64_MAX;
};

struct WindowedTrace {
  workloads::traces::Trace trace;  // its times are from the window's begin on
  std::vector<KeptEvents> kept;    // of the whole trace's events, by rank
};

// The last time of all ranks.
workloads::traces::Ticks end_of(const workloads::traces::Trace& trace);

// What is left out is told in the notes.
WindowedTrace cut_window(const workloads::traces::Trace& whole, const TimeWindow& window);

// For writing: times of a window's events, asked for by the events of the whole trace.
class WindowTimes : public workloads::traces::NewTimes {
 public:
  using Ticks = workloads::traces::Ticks;

  // Both outlive it. `times`: of the window's events. `in_file`: of each rank the window's edges on
  // the file's own clock.
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
