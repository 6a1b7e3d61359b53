// SPDX-License-Identifier: BSD-3-Clause
// Channels: all messages between two nodes (between two ranks, where each rank's core limits what
// it moves) with the same rate limit take the same links and get the same rate. A
// channel is made when a message first needs it; those that no message uses are kept for a while
// (the next message often takes the same way), then forgotten.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "platforms/job_links.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/flow/fair_shares.hpp"

namespace tutti::engines {

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
  LinkId card_of(runtime::RankId rank, LinkId link);
  bool has_cards_of_ranks() const {
    return contention_ == Contention::private_cards || contention_ == Contention::pooled_cards;
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
  // Contention::private_cards and pooled_cards: by rank (pooled: by host) and link, the copy of the
  // link that is its card.
  std::unordered_map<std::uint64_t, LinkId> cards_;
  std::vector<std::uint32_t> ranks_on_;  // Contention::pooled_cards: by host
};

}  // namespace tutti::engines
