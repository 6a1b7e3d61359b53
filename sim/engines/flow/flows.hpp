// SPDX-License-Identifier: BSD-3-Clause
// The progress of flows: the bytes that each channel has carried, and the flow that ends next. The
// flows of a channel advance together, so a flow is represented by the bytes per flow that the
// channel will have carried when the flow ends.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/flow/channels.hpp"
#include "sim/engines/flow/shares.hpp"
#include "sim/runtime/radix_queue.hpp"
#include "sim/runtime/transport.hpp"

namespace tutti::engines {

using runtime::MessageId;

class Flows {
 public:
  explicit Flows(Channels& channels) : channels_(channels), shares_(channels.shares()) {}

  // Announces that the message will flow through the channel. The channel gets a user.
  void prepare(MessageId message, ClassId channel);
  void prefetch(MessageId message) const { __builtin_prefetch(flows_.data() + message, 1); }
  // `bytes`: the bytes of links' bandwidth that the message uses.
  void start(MessageId message, double bytes, Seconds now_s);
  // Appends flows that end between `now_s`, the time of the first one, and `until_s`, so close that
  // the times count as equal; stops after about `enough` flows.
  void take_ended(Seconds now_s, Seconds until_s, std::size_t enough,
                  std::vector<MessageId>& ended);
  // A lower bound of the next end of a flow, in seconds since the job's start; infinity
  // without flows. Valid once the rates are solved.
  Seconds next_date_s() const { return ends_.next_key(); }
  // The number of messages that flow now.
  std::int64_t active() const { return active_; }

  bool is_solved() const { return shares_.is_solved(); }
  // Gives every flow its fair rate, starting at `now_s`.
  void solve(Seconds now_s);

 private:
  static constexpr MessageId none = UINT32_MAX;

  // A node of a pairing heap (Fredman et al., Algorithmica 1, 1986) by `end`.
  struct Flow {
    double end = 0;   // bytes per flow that the channel will have carried at the flow's end
    float bytes = 0;  // size of the flow, rounded
    ClassId channel = 0;
    MessageId child = none;
    MessageId sibling = none;
  };
  // The progress of a channel. In a bundle it is relative to the bundle's clock: `carried` excludes
  // the clock's bytes, and `rate` and `since_s` are not used.
  struct Progress {
    double carried = 0;  // bytes per flow, up to `since_s`
    double rate = 0;     // of each flow, in B/s, since `since_s`
    Seconds since_s = 0;
    MessageId first = none;        // the flow that ends first
    std::uint32_t stamp : 31 = 0;  // stamp of its entry in `ends_`, or in the bundle's clock
    std::uint32_t in_bundle : 1 = 0;
  };
  struct End {
    std::uint32_t subject;  // a channel, or with the bit `is_bundle` a bundle
    std::uint32_t stamp;
  };
  static constexpr std::uint32_t is_bundle = std::uint32_t{1} << 31;
  struct BundleClock {
    double carried = 0;  // bytes per flow of every member, up to `since_s`
    double rate = 0;     // since `since_s`
    Seconds since_s = 0;
    std::uint32_t stamp = 0;        // stamp of its entry in `ends_`
    runtime::RadixQueue<End> ends;  // ends of members' first flows, by bytes of the clock
  };

  void prefetch_channel(ClassId id) const {
    __builtin_prefetch(progress_.data() + id, 1);
    shares_.prefetch(id);
  }
  Progress& progress(ClassId id);
  template <class Clock>
  static void advance(Clock& clock, Seconds now_s);
  void take_ended_of_channel(ClassId id, double reached, std::vector<MessageId>& ended);
  void take_ended_of_bundle(FlowBundleId id, Seconds now_s, Seconds until_s, std::size_t enough,
                            std::vector<MessageId>& ended);
  void update_channel(ClassId id, Seconds now_s);
  void join(ClassId id, FlowBundleId bundle, Seconds now_s);
  void push_end(BundleClock& clock, ClassId member);
  void leave(ClassId id, FlowBundleId bundle, Seconds now_s);
  void reset_clock(FlowBundleId id);
  void schedule_end(FlowBundleId id, Seconds now_s);
  MessageId meld(MessageId a, MessageId b);
  MessageId remove_ended(MessageId root, double reached, std::vector<MessageId>& ended);
  bool is_stale(const End& end) const {
    return (end.subject & is_bundle) != 0 ? clocks_[end.subject & ~is_bundle].stamp != end.stamp
                                          : progress_[end.subject].stamp != end.stamp;
  }

  Channels& channels_;
  Shares& shares_;
  LargeVector<Flow> flows_;          // by MessageId
  LargeVector<Progress> progress_;   // by ClassId
  std::vector<BundleClock> clocks_;  // by FlowBundleId
  runtime::RadixQueue<End> ends_;    // by time; entries that a solve has moved are stale
  std::vector<MessageId> subtrees_;  // scratch memory of remove_ended()
  std::int64_t active_ = 0;
};

}  // namespace tutti::engines
