// SPDX-License-Identifier: BSD-3-Clause
// The bytes of messages on their way: what each channel has carried, and which flow ends next. The
// flows of a channel advance together, so a flow is the amount that the channel will have carried
// per flow when it ends.
#pragma once

#include <vector>

#include "sim/engines/flow/channels.hpp"
#include "sim/runtime/radix_queue.hpp"
#include "sim/runtime/transport.hpp"

namespace tutti::engines {

using runtime::MessageId;

class Flows {
 public:
  // A flow whose rate changes when at most `merged_part` of its bytes are missing ends at once.
  // That holds of flows that are no member of a crowd: with it, there should be none.
  Flows(Channels& channels, double merged_part)
      : channels_(channels), shares_(channels.shares()), merged_part_(merged_part) {}

  // The message will flow through the channel.
  void prepare(MessageId message, ClassId channel);
  void prefetch(MessageId message) const { __builtin_prefetch(flows_.data() + message, 1); }
  void start(MessageId message, Bytes bytes, Seconds now_s);
  // Flows that end by `until_s` (dates that close are one); `now_s` is the date of the first of
  // them. Appends them.
  void take_ended(Seconds now_s, Seconds until_s, std::size_t enough,
                  std::vector<MessageId>& ended);
  // No flow ends before; infinity where nothing flows. Valid once the rates are solved.
  Seconds next_date_s() const { return ends_.next_key(); }
  std::int64_t active() const { return active_; }

  bool is_solved() const { return shares_.is_solved(); }
  // Gives every flow its fair rate from `now_s` on.
  void solve(Seconds now_s);

 private:
  static constexpr MessageId none = UINT32_MAX;

  // A node of a pairing heap (Fredman et al., Algorithmica 1, 1986) by `end`.
  struct Flow {
    double end = 0;   // bytes
    float bytes = 0;  // about
    ClassId channel = 0;
    MessageId child = none;
    MessageId sibling = none;
  };
  // Of a channel. In a crowd it goes by the crowd's clock: `carried` is without what that shows,
  // and the next two do not count.
  struct Progress {
    double carried = 0;  // bytes per flow, up to `since_s`
    double rate = 0;     // from then on
    Seconds since_s = 0;
    MessageId first = none;        // the flow that ends first
    std::uint32_t stamp : 31 = 0;  // of its date in `ends_`, or of its end in the crowd's clock
    std::uint32_t in_crowd : 1 = 0;
  };
  struct End {
    std::uint32_t subject;  // channel; with this bit set, crowd
    std::uint32_t stamp;
  };
  static constexpr std::uint32_t is_crowd = std::uint32_t{1} << 31;
  struct CrowdClock {
    double carried = 0;  // bytes per flow of every member, up to `since_s`
    double rate = 0;     // from then on
    Seconds since_s = 0;
    std::uint32_t stamp = 0;        // of its date in `ends_`
    runtime::RadixQueue<End> ends;  // of members' first flows, by what the clock shows then
  };

  Progress& progress(ClassId id);
  template <class Clock>
  static void advance(Clock& clock, Seconds now_s);
  void take_ended_of(ClassId id, double reached, std::vector<MessageId>& ended);
  void take_ended_of_crowd(CrowdId id, Seconds now_s, Seconds until_s, std::size_t enough,
                           std::vector<MessageId>& ended);
  void change(ClassId id, Seconds now_s);
  void join(ClassId id, CrowdId crowd, Seconds now_s);
  void push_end(CrowdClock& clock, ClassId member);
  void release(CrowdId id, Seconds now_s);
  void set_date(CrowdId id, Seconds now_s);
  MessageId meld(MessageId a, MessageId b);
  MessageId without(MessageId root, double reached, std::vector<MessageId>& ended);
  bool is_stale(const End& end) const {
    return (end.subject & is_crowd) != 0 ? clocks_[end.subject & ~is_crowd].stamp != end.stamp
                                         : progress_[end.subject].stamp != end.stamp;
  }

  Channels& channels_;
  FairShares& shares_;
  double merged_part_;
  std::vector<Flow> flows_;          // by MessageId
  std::vector<Progress> progress_;   // by ClassId
  std::vector<CrowdClock> clocks_;   // by CrowdId
  runtime::RadixQueue<End> ends_;    // dates that a solve has moved are stale, and pass by
  std::vector<MessageId> subtrees_;  // room for without
  std::int64_t active_ = 0;
};

}  // namespace tutti::engines
