// SPDX-License-Identifier: BSD-3-Clause
// The timeline of ranks, in the trace and replayed, in columns; each column shows the activity that
// takes most of it.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/messages.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

struct TimelineSpec {
  std::vector<TraceRank> ranks = {};  // in ascending order
  Ticks from = 0;
  Ticks to = 0;                     // above `from`
  std::size_t columns = 2000;       // at most
  bool is_exact = false;            // bars of at most `columns` spans have these instead
  std::size_t most_regions = 4;     // regions of computation with their own color
  std::size_t most_messages = 200;  // with more, no messages are drawn
};

enum class Doing : std::uint8_t {
  region,  // one with its own color
  other_computation,
  point_to_point,
  point_to_point_wait,  // until the messages of the call were sent
  collective,
  collective_wait,  // until the ranks that it waits for had entered
  other_call
};
struct TimelineKind {
  Doing doing = Doing::region;
  std::string region = {};  // its name
};

// The activity that takes most of these adjacent columns, or all of this time in an exact bar.
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
  bool is_cut = false;                      // then it has no new times
  Ticks send_enter = 0, receive_enter = 0;  // new times of the calls
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;  // in the trace
};

struct Timeline {
  Ticks from = 0;
  Ticks to = 0;
  std::vector<TimelineKind> kinds;
  std::vector<TimelineRank> ranks;
  std::vector<TimelineMessage> messages;  // between these ranks, in the window; empty if too many
  std::uint64_t message_count = 0;        // number of such messages
  Ticks column = 0;                       // its width; 0 if all bars are exact
  std::uint64_t pieces = 0;               // calls and pieces of computation in the window
  std::uint64_t narrow_pieces = 0;        // pieces that are narrower than a column
};

// The timeline of a trace whose replay gave `result`; `again` replays it once more into a sink.
Result<Timeline> timeline(const workloads::traces::Trace& trace, const ReplayResult& result,
                          const TimelineSpec& spec,
                          const std::function<Result<ReplayResult>(ReplaySink*)>& again);

// At most `most` ranks: those that wait most and least in the trace, in ascending order.
std::vector<TraceRank> extreme_ranks(const ReplayResult& result, std::size_t most);

// The waits of MPI calls of some ranks, in the trace and replayed, computed from the events of all
// ranks. The events of each rank come in order, interleaved arbitrarily with those of other ranks.

struct TimelineCall {
  TraceRank rank = 0;
  Doing doing = Doing::other_call;  // without its wait
  Times enter, leave;
  Times cause{INT64_MIN, INT64_MIN};  // the latest event that it waits for

  // Waiting time from `enter` on, within the call.
  Times waits() const;
};

class TimelineCalls {
 public:
  struct Listener {
    std::function<void(const TimelineCall&)> call;
    std::function<void(const TimelineMessage&)> message;
  };
  // `is_wanted`: by rank. All arguments must outlive this object.
  TimelineCalls(const workloads::traces::Trace& trace, const TraceScan& scan,
                const std::vector<bool>& is_wanted, Listener listener);

  // For each call: its enter, the events inside it one by one, its leave.
  void enter(TraceRank rank, const Times& time);
  void inside(TraceRank rank, const Event& event, Ticks after, bool keeps);
  void leave(TraceRank rank, const Times& time);
  // Call at the end. Calls that wait for something that never came have no wait.
  void finish();

 private:
  struct Awaited {  // a message or a collective
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
    std::deque<Pending> pending;  // ended calls whose causes are not all known yet
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
  std::optional<Times> cause_of(const Awaited& awaited, const TimelineCall& call);
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
