// SPDX-License-Identifier: BSD-3-Clause
// What ranks do over time, in the trace and replayed, as a picture shows it: in columns, each of
// what takes most of it.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/messages.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

struct TimelineSpec {
  std::vector<TraceRank> ranks = {};  // rising
  Ticks from = 0;
  Ticks to = 0;                     // above `from`
  std::size_t columns = 2000;       // at most
  std::size_t most_regions = 4;     // of computation that are told apart
  std::size_t most_messages = 200;  // more are none
};

enum class Doing : std::uint8_t {
  region,  // one that is told apart
  other_computation,
  point_to_point,
  point_to_point_wait,  // until the call's messages were sent
  collective,
  collective_wait,  // until those had come that it waits for
  other_call
};
struct TimelineKind {
  Doing doing = Doing::region;
  std::string region = {};  // its name
};

// What takes most of these columns, side by side.
struct TimelineSpan {
  Ticks from = 0;
  Ticks to = 0;
  std::uint16_t kind = 0;
};
struct TimelineRank {
  TraceRank rank = 0;
  std::vector<TimelineSpan> before, after;
};
struct TimelineMessage {
  TraceRank from = 0, to = 0;
  Times sent, received;
  bool is_cut = false;  // then it has no times after
};

struct Timeline {
  Ticks from = 0;
  Ticks to = 0;
  std::vector<TimelineKind> kinds;
  std::vector<TimelineRank> ranks;
  std::vector<TimelineMessage> messages;  // between these ranks, in the window; none where too many
  std::uint64_t message_count = 0;        // the same, all
  Ticks column = 0;                       // its width
  std::uint64_t pieces = 0;               // calls and pieces of computation in the window
  std::uint64_t narrow_pieces = 0;        // of them: narrower than a column
};

// Of the trace, as it gave `result`: `again` replays it once more into a sink.
Result<Timeline> timeline(const workloads::traces::Trace& trace, const ReplayResult& result,
                          const TimelineSpec& spec,
                          const std::function<Result<ReplayResult>(ReplaySink*)>& again);

// At most so many ranks: those that wait most, and least, in the trace. Rising.
std::vector<TraceRank> extreme_ranks(const ReplayResult& result, std::size_t most);

// Until when calls of MPI wait, in the trace and replayed: those of some ranks, from the events of
// all, which come rank by rank in any mixture.

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
  void report_known(OfRank& rank);
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
