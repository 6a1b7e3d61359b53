// SPDX-License-Identifier: BSD-3-Clause
// The bytes of messages on their way: what each channel has carried, and which flow ends next. The
// flows of a channel advance together, so a flow is the amount that the channel will have carried
// per flow when it ends.
#pragma once

#include <deque>

#include "platforms/job_links.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/flow/fair_shares.hpp"
#include "sim/runtime/radix_queue.hpp"
#include "sim/runtime/transport.hpp"

namespace tutti::engines {

// Channels: all messages between two nodes (between two ranks, where each rank's core limits what
// it moves) with the same rate limit take the same links and get the same rate. A
// channel is made when a message first needs it; those that no message uses are kept for a while
// (the next message often takes the same way), then forgotten.

class Channels {
 public:
  explicit Channels(const Job& job);

  // The channel without a limit of its own from one rank to another. It lasts until the next call
  // at least, and as long as it has users.
  ClassId between(runtime::RankId source, runtime::RankId destination);
  // The same way as `unlimited`, with a limit.
  ClassId limited(ClassId unlimited, double limit_Bps);
  const platforms::Path& path(ClassId id) const { return channels_[id].path; }

  void add_user(ClassId id) { ++channels_[id].users; }
  void remove_users(ClassId id, std::uint32_t count);

  FairShares& shares() { return shares_; }
  const FairShares& shares() const { return shares_; }

 private:
  struct Key {
    std::uint64_t way = 0;
    double limit_Bps = no_limit;
    bool operator==(const Key&) const = default;
  };
  struct alignas(64) Channel {
    Key key;
    platforms::Path path;
    std::uint32_t users = 0;     // messages under way, waiting ones included
    bool in_idle = false;        // stands in idle_, though it may have users again
    runtime::RankId source = 0;  // of some message that takes it
    runtime::RankId destination = 0;
  };
  // A place in the table; `tag` is the key's hash.
  struct Slot {
    ClassId id = no_class;
    std::uint32_t tag = 0;
  };
  static constexpr ClassId no_class = UINT32_MAX;

  std::uint64_t way(runtime::RankId source, runtime::RankId destination) const;
  static std::uint32_t tag_of(const Key& key);
  std::size_t slot_of(const Key& key, std::uint32_t tag) const;
  std::size_t free_slot(std::uint32_t tag) const;
  ClassId find_or_make(const Key& key, runtime::RankId source, runtime::RankId destination);
  ClassId make(const Key& key, runtime::RankId source, runtime::RankId destination);
  void idle(ClassId id);
  void forget_idle();
  void forget(ClassId id);
  void grow();
  const platforms::Link& look_up(LinkId id);
  // A link of a route, and whose it is.
  struct Hop {
    LinkId link = 0;
    bool is_core = false;  // a rank's core, not its card
    bool is_out = false;   // the sender's
    bool is_in = false;    // the receiver's
  };
  void find_hops();
  void share_hop(const Hop& hop, bool over_bus, runtime::RankId source,
                 runtime::RankId destination);
  LinkId nic_of(runtime::RankId rank, LinkId link);
  bool has_nics_of_ranks() const {
    return contention_ == Contention::private_nics || contention_ == Contention::pooled_nics;
  }

  const platforms::Machine& machine_;
  const platforms::Placement& placement_;
  platforms::JobLinks job_links_;
  Contention contention_;
  FairShares shares_;
  ZeroArray<platforms::Link> link_of_;  // by LinkId; bandwidth 0: not looked up yet
  std::vector<Channel> channels_;       // by ClassId
  std::vector<Slot> slots_;             // open addressing, linear probing
  std::size_t filled_slots_ = 0;
  std::deque<ClassId> idle_;  // the longest idle first
  std::size_t most_idle_;
  std::vector<LinkId> route_;   // room for make()
  std::vector<Hop> hops_;       // the same
  std::vector<LinkId> shared_;  // the same
  // Contention::private_nics and pooled_nics: by rank (pooled: by host) and link, the copy of the
  // link that is its card.
  std::unordered_map<std::uint64_t, LinkId> nics_;
  std::vector<std::uint32_t> ranks_on_;  // Contention::pooled_nics: by host
};

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
    std::uint32_t in_bundle : 1 = 0;
  };
  struct End {
    std::uint32_t subject;  // channel; with this bit set, crowd
    std::uint32_t stamp;
  };
  static constexpr std::uint32_t is_bundle = std::uint32_t{1} << 31;
  struct BundleClock {
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
  void take_ended_of_bundle(FlowBundleId id, Seconds now_s, Seconds until_s, std::size_t enough,
                            std::vector<MessageId>& ended);
  void change(ClassId id, Seconds now_s);
  void join(ClassId id, FlowBundleId bundle, Seconds now_s);
  void push_end(BundleClock& clock, ClassId member);
  void release(FlowBundleId id, Seconds now_s);
  void set_date(FlowBundleId id, Seconds now_s);
  MessageId meld(MessageId a, MessageId b);
  MessageId without(MessageId root, double reached, std::vector<MessageId>& ended);
  bool is_stale(const End& end) const {
    return (end.subject & is_bundle) != 0 ? clocks_[end.subject & ~is_bundle].stamp != end.stamp
                                          : progress_[end.subject].stamp != end.stamp;
  }

  Channels& channels_;
  FairShares& shares_;
  double merged_part_;
  std::vector<Flow> flows_;          // by MessageId
  std::vector<Progress> progress_;   // by ClassId
  std::vector<BundleClock> clocks_;  // by FlowBundleId
  runtime::RadixQueue<End> ends_;    // dates that a solve has moved are stale, and pass by
  std::vector<MessageId> subtrees_;  // room for without
  std::int64_t active_ = 0;
};

}  // namespace tutti::engines
