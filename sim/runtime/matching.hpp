// SPDX-License-Identifier: BSD-3-Clause
// Matching of messages and receives. Receives from a named source match by (source, tag) in the
// order of the sends. While a rank has a pending receive from any source or of any tag, all its
// matching is delayed until arrivals: the earliest arrival determines the source, and its oldest
// message with the tag is matched. Arrivals within `tie_window_s` are ordered by (source, tag), so
// that every engine gives the same result.
//
// Matching owns the queues of posted receives and unexpected messages. It returns pairs, and leaves
// their consequences to the caller.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/arrivals.hpp"
#include "sim/runtime/job_state.hpp"

namespace tutti::runtime {

class Matching {
 public:
  struct Pair {
    std::uint32_t request = no_record;
    MessageId message = no_record;
  };

  explicit Matching(JobState& job) : job_(job) {}

  // Posts a receive. Returns the unexpected message that it matches, which leaves the queue;
  // no_record if the receive waits for one.
  MessageId post(std::uint32_t request);
  // Whether messages to the rank must be delayed until they arrive.
  bool is_delayed(RankId rank) const { return job_.ranks[rank].wildcards_pending > 0; }
  // Adds a message to a rank whose matching is delayed.
  void delay(MessageId id);
  // The posted receive that a new message matches, which leaves the queue; no_record if there is
  // none.
  std::uint32_t take_posted(const MessageRecord& message) {
    return posted_.take(job_.ranks[message.destination].posted, message.key());
  }
  // Adds a message that no posted receive matches.
  void add_unexpected(MessageId id);
  // The oldest unexpected message of the rank with the key, which leaves the queue; or no_record.
  MessageId take_unexpected(RankId rank, MatchKey key);
  // Notes the arrival of an unexpected eager message.
  void on_arrival(MessageId id);

  // Schedules the event match_arrivals for the next arrival, and returns the next pair of a rank
  // whose matching is delayed. Call it at that event until it returns nothing.
  std::optional<Pair> next_arrived_pair(RankId rank);
  // The pairs of the other receives after the last receive with a wildcard has matched, in the
  // order of the receives, which need not wait for arrivals.
  std::vector<Pair> take_named_pairs(RankId rank);

  // Messages and requests of the rank's queues, the oldest first.
  std::vector<MessageId> unexpected(RankId rank) const {
    return unexpected_.in_order(job_.ranks[rank].unexpected);
  }
  std::vector<std::uint32_t> posted(RankId rank) const {
    return posted_.in_order(job_.ranks[rank].posted);
  }

 private:
  bool has_any_tag(RankId rank) const { return !any_tags_.empty() && any_tags_.contains(rank); }
  bool has_arrived(const MessageRecord& message) const;
  Arrivals* find_arrivals(RankId rank);
  Arrivals::Arrival make_arrival(MessageId id) const;
  void report_arrival(MessageId id);
  void match_after(RankId rank, Seconds known_s);
  std::uint32_t find_posted(RankId rank, MatchKey key);
  std::uint32_t take_posted(RankId rank, MatchKey key);
  MatchKey find_oldest_of_source(RankId rank, MatchKey arrived) const;
  Pair take_pair(RankId rank, MatchKey key);
  Seconds find_earliest_for(RankId rank, MatchKey posted);
  Seconds find_next_arrival(RankId rank);
  std::optional<MatchKey> find_first_arrival(RankId rank);
  std::vector<MatchKey> list_keys(RankState& receiver);

  JobState& job_;
  MatchQueues<RequestRecord> posted_{job_.requests};
  MatchQueues<MessageRecord> unexpected_{job_.messages};
  std::uint64_t receives_ = 0;                      // number of posted receives of the job
  std::unordered_map<RankId, Arrivals> arrivals_;   // of ranks with many unexpected messages
  std::unordered_map<RankId, Seconds> next_looks_;  // of ranks whose matching is delayed
  // Number of pending receives of any tag; those ranks have no Arrivals.
  std::unordered_map<RankId, std::uint32_t> any_tags_;
};

}  // namespace tutti::runtime
