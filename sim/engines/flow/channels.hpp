// SPDX-License-Identifier: BSD-3-Clause
// Channels: all messages between two nodes (between two ranks, if the cores of ranks limit their
// rates) with the same rate limit use the same links and get the same rate. A channel is one class
// of flows of Shares (shares.hpp), and has its ClassId. It is created when a message first needs
// it. Unused channels are kept for a while, because the next message often takes the same path, and
// then freed.
#pragma once

#include <deque>

#include "platforms/job_links.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/flow/link_kinds.hpp"
#include "sim/engines/flow/rank_folding.hpp"
#include "sim/engines/flow/shares.hpp"
#include "sim/runtime/pair_index.hpp"

namespace tutti::engines {

class Channels {
 public:
  // If `folding` is not null, source ranks are numbers of rank classes, and destinations are
  // numbers of message classes.
  Channels(const Job& job, const RankFolding* folding);

  // Returns the channel of messages of this size from one rank to another without a rate limit of
  // their own. It is valid until the next call, and as long as it has users.
  ClassId find(runtime::RankId source, runtime::RankId destination, Bytes bytes);
  // Returns the channel with the same path as `unlimited` and a rate limit; valid as that of
  // `find`.
  ClassId find_limited(ClassId unlimited, double limit_Bps);
  const platforms::Path& path(ClassId id) const { return channels_[id].path; }

  void prefetch(ClassId id) const { __builtin_prefetch(channels_.data() + id, 1); }
  // A user is a message that flows over the channel, or will; a channel with users is not freed.
  void add_user(ClassId id) { ++channels_[id].users; }
  void remove_users(ClassId id, std::uint32_t count);
  // The number of flows of a message: 1, or the size of the rank class that it represents.
  std::uint32_t flows_per_message(ClassId id) const {
    return folding_ == nullptr ? 1 : folding_->classes.sizes[channels_[id].source];
  }

  Shares& shares() { return shares_; }
  const Shares& shares() const { return shares_; }

 private:
  struct Key {
    // The pair of nodes or ranks, or, with `folding`, the message class.
    std::uint64_t pair = 0;
    double limit_Bps = no_limit;
    bool operator==(const Key&) const = default;
  };
  struct alignas(64) Channel {
    Key key;
    platforms::Path path;
    std::uint32_t users = 0;     // number of messages in flight, including waiting ones
    bool in_idle = false;        // whether it is in idle_; it may have users again
    runtime::RankId source = 0;  // ranks of any message that uses it
    runtime::RankId destination = 0;
  };
  // In Key::pair: the message is divided over all rails, or its copies cross memory buses.
  static constexpr std::uint64_t over_all_rails = std::uint64_t{1} << 62;
  static constexpr std::uint64_t over_buses = std::uint64_t{1} << 61;

  std::uint64_t make_pair_key(runtime::RankId source, runtime::RankId destination,
                              Bytes bytes) const;
  static std::uint32_t hash_of(const Key& key);
  ClassId find_or_make(const Key& key, runtime::RankId source, runtime::RankId destination);
  ClassId make(const Key& key, runtime::RankId source, runtime::RankId destination);
  ClassId make_divided(const Key& key, runtime::RankId source, runtime::RankId destination);
  ClassId store(ClassId id, const Channel& channel);
  double find_columns(bool only_ends);
  double nics_of_paths();
  void add_idle(ClassId id);
  void free_idle();
  void free_channel(ClassId id);
  // A link of a route. Except for cores, the first and the last links of a route belong to the NICs
  // of sender and receiver.
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
  std::vector<LinkId> buses_;      // the same
  PathColumns columns_;            // the same
  // Contention::private_nics and pooled_nics: the copies of links that represent NICs, by rank
  // (pooled: by host) and link.
  std::unordered_map<std::uint64_t, LinkId> nics_;
  std::vector<std::uint32_t> ranks_on_;  // Contention::pooled_nics: by host
};

}  // namespace tutti::engines
