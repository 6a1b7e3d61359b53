// SPDX-License-Identifier: BSD-3-Clause
// Follows a replay and splits the time of each rank into regions, computation, calls with their
// waits, and messages: for timelines and traces of the replayed run.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/timeline.hpp"

namespace tutti::studies::replay {

struct Call;

struct TimelineCall {
  TraceRank rank = 0;
  std::uint32_t region = 0;
  Doing doing = Doing::other_call;  // without its wait
  Times enter, leave;
  Times waits;                    // from `enter` on, within the call
  bool awaits_receivers = false;  // it waits for nothing but the receives of what it sends
  bool is_cut = false;
};

class TimelineSink : public ReplaySink {
 public:
  // `is_wanted`: by rank. The trace must outlive this object.
  TimelineSink(const workloads::traces::Trace& trace, std::vector<bool> is_wanted);

  void event(TraceRank rank, Ticks after, bool keeps) final;
  void call(TraceRank rank, const Call& call) final;
  void waits(TraceRank rank, const Times& waits) final { ranks_[rank].waits = waits; }

 protected:
  struct Moment {
    Times time;
    bool keeps = true;  // false: the event is cut
  };
  // Called when a region that is not a call begins or ends.
  virtual void enter(TraceRank, std::uint32_t /*region*/, const Moment&) {}
  virtual void leave(TraceRank, const Moment&) {}
  // Called for the time between two events outside of calls. `waits` is the wait for other threads,
  // from `from` on.
  virtual void piece(TraceRank, const Times& /*from*/, const Times& /*to*/,
                     const Times& /*waits*/) {}
  // Called for the calls of wanted ranks, in order.
  virtual void add(const TimelineCall& call) = 0;
  // Called for a kept message between wanted ranks, before the call that receives it.
  virtual void add(const TimelineMessage& message) = 0;

  const workloads::traces::Trace& trace() const { return trace_; }
  bool is_wanted(TraceRank rank) const { return is_wanted_[rank]; }
  const Times& last(TraceRank rank) const { return ranks_[rank].last; }

 private:
  struct OfRank {
    EventReader events;
    std::size_t in_call = 0;  // events that follow and belong to a call
    Times last = {};
    Times waits = {};
    bool has_begun = false;
  };
  void arrive(TraceRank rank, const Times& now);
  Doing doing_of(const Call& call) const;
  void add_messages(TraceRank rank, const Call& call);

  const workloads::traces::Trace& trace_;
  std::vector<bool> is_wanted_;
  std::vector<OfRank> ranks_;
};

}  // namespace tutti::studies::replay
