// SPDX-License-Identifier: BSD-3-Clause
// Until when calls of MPI wait, in the trace and replayed: those of some ranks, from the events of
// all, which come rank by rank in any mixture.
#pragma once

#include <deque>
#include <functional>
#include <map>

#include "sim/replay/messages.hpp"
#include "sim/replay/timeline.hpp"

namespace tutti::studies::replay {

struct TimelineCall {
  TraceRank rank = 0;
  Doing doing = Doing::other_call;  // without its wait
  Times enter, leave;
  Times cause{INT64_MIN, INT64_MIN};  // the latest that it waits for

  // From `enter` on, inside the call.
  Times waits() const;
};

class TimelineCalls {
 public:
  struct Listener {
    std::function<void(const TimelineCall&)> call;
    std::function<void(const TimelineMessage&)> message;
  };
  // `is_wanted`: by rank. All outlive it.
  TimelineCalls(const workloads::traces::Trace& trace, const TraceScan& scan,
                const std::vector<bool>& is_wanted, Listener listener);

  // Of a call: its enter; all events inside it, one by one; its leave.
  void enter(TraceRank rank, const Times& time);
  void inside(TraceRank rank, const Event& event, Ticks after, bool keeps);
  void leave(TraceRank rank, const Times& time);
  // What calls wait for that never came counts as nothing.
  void finish();

 private:
  struct Awaited {  // a message, or a collective
    MessageKey key;
    std::uint64_t number = 0;
    Times received;
    CollectiveNumber collective;
    std::uint32_t member = workloads::traces::none;  // none: a message
    bool keeps = true;
  };
  struct Pending {
    TimelineCall call;
    std::vector<Awaited> awaited;
    std::size_t next = 0;
  };
  struct OfRank {
    Pending open;
    std::deque<Pending> pending;  // calls that are over, and wait for what is not known yet
    ByMessageKey<std::uint64_t> received;
    std::uint64_t completions = 0;
    std::map<std::uint32_t, std::uint64_t> collectives;  // by communicator
  };

  void receive(TraceRank rank, const Event& event, Ticks after, bool keeps);
  void collective(TraceRank rank, const Event& event, bool keeps);
  CollectiveInstance& instance_of(TraceRank rank, const CollectiveNumber& number,
                                  const Event& event);
  void tell_known(OfRank& rank);
  bool resolve(Pending& pending);
  std::optional<Times> cause_of(const Awaited& awaited, TraceRank rank);
  std::optional<Times> collective_cause(const Awaited& awaited);

  const workloads::traces::Trace& trace_;
  const TraceScan& scan_;
  const std::vector<bool>& is_wanted_;
  Listener listener_;
  MemberNumbers members_;
  Channels channels_;

  std::map<CollectiveNumber, CollectiveInstance> instances_;
  std::vector<OfRank> ranks_;
};

}  // namespace tutti::studies::replay
