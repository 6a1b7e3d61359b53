// SPDX-License-Identifier: BSD-3-Clause
// Follows a replay and splits the time of each rank into regions, computation, calls with their
// waits, and messages: for timelines and traces of the replayed run.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/timeline.hpp"

namespace tutti::studies::replay {

class TimelineSink : public ReplaySink {
 public:
  // `is_wanted`: by rank. The trace must outlive this object.
  TimelineSink(const workloads::traces::Trace& trace, std::vector<bool> is_wanted);

  void event(TraceRank rank, Ticks after, bool keeps) final;

 protected:
  struct Moment {
    Times time;
    bool keeps = true;  // false: the event is cut
  };
  // A region that is not an MPI call begins or ends.
  virtual void enter(TraceRank rank, std::uint32_t region, const Moment& now) = 0;
  virtual void leave(TraceRank rank, const Moment& now) = 0;
  virtual void enter_call(TraceRank, std::uint32_t /*region*/, const Moment&) {}
  virtual void leave_call(TraceRank, const Moment&) {}
  // The time between two events outside of calls.
  virtual void piece(TraceRank, const Times& /*from*/, const Times& /*to*/) {}
  // Calls of wanted ranks in order, each after leave_call, as soon as its wait is known.
  virtual void add(const TimelineCall& call) = 0;
  // A message between wanted ranks.
  virtual void add(const TimelineMessage& message) = 0;

  // Call at the end.
  void finish() { calls_.finish(); }
  const workloads::traces::Trace& trace() const { return trace_; }
  bool is_wanted(TraceRank rank) const { return is_wanted_[rank]; }
  const Times& last(TraceRank rank) const { return ranks_[rank].last; }

 private:
  struct OfRank {
    EventReader events;
    std::size_t call_depth = 0;
    Times last = {};
    bool has_begun = false;
  };
  void inside_call(TraceRank rank, const Event& event, const Moment& now);

  const workloads::traces::Trace& trace_;
  TraceScan scan_;
  std::vector<bool> is_wanted_;
  TimelineCalls calls_;
  std::vector<OfRank> ranks_;
};

}  // namespace tutti::studies::replay
