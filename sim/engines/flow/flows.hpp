// SPDX-License-Identifier: BSD-3-Clause
// The progress of flows: the bytes that each channel has carried, and the flow that ends next. The
// flows of a channel advance together, so a flow is represented by the bytes per flow that the
// channel will have carried when the flow ends.
#pragma once

#include <deque>

#include "platforms/job_links.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/flow/link_kinds.hpp"
#include "sim/engines/flow/path_shares.hpp"
#include "sim/engines/flow/rank_folding.hpp"
#include "sim/runtime/pair_index.hpp"
#include "sim/runtime/radix_queue.hpp"
#include "sim/runtime/transport.hpp"

namespace tutti::engines {

// Channels: all messages between two nodes (between two ranks, if the cores of ranks limit their
// rates) with the same rate limit use the same links and get the same rate. A channel is created
// when a message first needs it. Unused channels are kept for a while, because the next message
// often takes the same path, and then freed.

class Channels {
 public:
  // `folding` may be null; otherwise source ranks are numbers of rank classes, and destinations
  // those of message classes.
  Channels(const Job& job, const RankFolding* folding);

  // The channel of messages of this size from one rank to another without a rate limit of its own.
  // Valid until the next call, and as long as it has users.
  ClassId between(runtime::RankId source, runtime::RankId destination, Bytes bytes);
  // The channel with the same path as `unlimited` and a rate limit.
  ClassId limited(ClassId unlimited, double limit_Bps);
  const platforms::Path& path(ClassId id) const { return channels_[id].path; }

  void prefetch(ClassId id) const { __builtin_prefetch(channels_.data() + id, 1); }
  void add_user(ClassId id) { ++channels_[id].users; }
  void remove_users(ClassId id, std::uint32_t count);
  // The number of flows of a message, which may represent those of a class.
  std::uint32_t flows_per_message(ClassId id) const {
    return folding_ == nullptr ? 1 : folding_->classes.sizes[channels_[id].source];
  }

  Shares& shares() { return shares_; }
  const Shares& shares() const { return shares_; }

 private:
  struct Key {
    std::uint64_t way = 0;
    double limit_Bps = no_limit;
    bool operator==(const Key&) const = default;
  };
  struct alignas(64) Channel {
    Key key;
    platforms::Path path;
    std::uint32_t users = 0;     // number of messages in flight, including waiting ones
    bool in_idle = false;        // it is in idle_, even if it has users again
    runtime::RankId source = 0;  // of any message that uses it
    runtime::RankId destination = 0;
  };
  // In Key::way: the message is divided over all rails.
  static constexpr std::uint64_t over_all_rails = std::uint64_t{1} << 62;

  std::uint64_t way(runtime::RankId source, runtime::RankId destination, Bytes bytes) const;
  static std::uint32_t hash_of(const Key& key);
  ClassId find_or_make(const Key& key, runtime::RankId source, runtime::RankId destination);
  ClassId make(const Key& key, runtime::RankId source, runtime::RankId destination);
  ClassId make_divided(const Key& key, runtime::RankId source, runtime::RankId destination);
  ClassId store(ClassId id, const Channel& channel);
  double find_columns(bool only_ends);
  double nics_of_paths();
  void idle(ClassId id);
  void forget_idle();
  void forget(ClassId id);
  // A link of a route, and its owner: except for cores, the first and the last links belong to the
  // NICs of sender and receiver.
  struct Hop {
    LinkId link = 0;
    bool is_core = false;  // a rank's core, not its NIC
    bool is_out = false;   // it belongs to the sender
    bool is_in = false;    // it belongs to the receiver
  };
  void share_hop(const Hop& hop, bool over_bus, runtime::RankId source,
                 runtime::RankId destination);
  LinkId nic_of(runtime::RankId rank, LinkId link);
  void share_links_of_classes();
  bool has_nics_of_ranks() const {
    return contention_ == Contention::private_nics || contention_ == Contention::pooled_nics;
  }

  const platforms::Machine& machine_;
  const platforms::Placement& placement_;
  const RankFolding* folding_;
  platforms::JobLinks job_links_;
  Contention contention_;
  Shares shares_;
  LinkKinds kinds_;
  LargeVector<Channel> channels_;  // by ClassId
  runtime::PairIndex by_key_;
  std::deque<ClassId> idle_;  // longest idle first
  std::size_t most_idle_;
  std::vector<LinkId> route_;      // scratch memory of make()
  std::vector<LinkId> shared_;     // the same
  platforms::MessagePaths paths_;  // scratch memory of make_divided()
  PathColumns columns_;            // the same
  // Contention::private_nics and pooled_nics: by rank (pooled: by host) and link, the copy of the
  // link that represents its NIC.
  std::unordered_map<std::uint64_t, LinkId> nics_;
  std::vector<std::uint32_t> ranks_on_;  // Contention::pooled_nics: by host
};

using runtime::MessageId;

class Flows {
 public:
  explicit Flows(Channels& channels) : channels_(channels), shares_(channels.shares()) {}

  // Announces that the message will flow through the channel.
  void prepare(MessageId message, ClassId channel);
  void prefetch(MessageId message) const { __builtin_prefetch(flows_.data() + message, 1); }
  // `bytes`: those by which it occupies links.
  void start(MessageId message, double bytes, Seconds now_s);
  // Appends flows that end between `now_s`, the time of the first one, and `until_s`, which is so
  // close that the times are equal; stops after about `enough` flows.
  void take_ended(Seconds now_s, Seconds until_s, std::size_t enough,
                  std::vector<MessageId>& ended);
  // A lower bound of the next end of a flow; infinity if there are no flows. Valid once the rates
  // are solved.
  Seconds next_date_s() const { return ends_.next_key(); }
  std::int64_t active() const { return active_; }

  bool is_solved() const { return shares_.is_solved(); }
  // Gives every flow its fair rate, starting at `now_s`.
  void solve(Seconds now_s);

 private:
  static constexpr MessageId none = UINT32_MAX;

  // A node of a pairing heap (Fredman et al., Algorithmica 1, 1986) by `end`.
  struct Flow {
    double end = 0;   // bytes
    float bytes = 0;  // approximate
    ClassId channel = 0;
    MessageId child = none;
    MessageId sibling = none;
  };
  // The progress of a channel. In a bundle it is relative to the bundle's clock: `carried` excludes
  // the clock's bytes, and `rate` and `since_s` are not used.
  struct Progress {
    double carried = 0;  // bytes per flow, up to `since_s`
    double rate = 0;     // since `since_s`
    Seconds since_s = 0;
    MessageId first = none;        // the flow that ends first
    std::uint32_t stamp : 31 = 0;  // of its entry in `ends_`, or in the bundle's clock
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
    std::uint32_t stamp = 0;        // of its entry in `ends_`
    runtime::RadixQueue<End> ends;  // ends of members' first flows, by bytes of the clock
  };

  void prefetch_channel(ClassId id) const {
    __builtin_prefetch(progress_.data() + id, 1);
    shares_.prefetch(id);
  }
  Progress& progress(ClassId id);
  template <class Clock>
  static void advance(Clock& clock, Seconds now_s);
  void take_ended_of(ClassId id, double reached, std::vector<MessageId>& ended);
  void take_ended_of_bundle(FlowBundleId id, Seconds now_s, Seconds until_s, std::size_t enough,
                            std::vector<MessageId>& ended);
  void change(ClassId id, Seconds now_s);
  void join(ClassId id, FlowBundleId bundle, Seconds now_s);
  void push_end(BundleClock& clock, ClassId member);
  void leave(ClassId id, FlowBundleId bundle, Seconds now_s);
  void forget(FlowBundleId id);
  void set_date(FlowBundleId id, Seconds now_s);
  MessageId meld(MessageId a, MessageId b);
  MessageId without(MessageId root, double reached, std::vector<MessageId>& ended);
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
  std::vector<MessageId> subtrees_;  // scratch memory of without()
  std::int64_t active_ = 0;
};

}  // namespace tutti::engines
