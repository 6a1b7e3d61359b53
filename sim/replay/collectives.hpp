// SPDX-License-Identifier: BSD-3-Clause
// Collectives in progress: the members that have entered, the members that each one waits for, and
// the wait states of completed collectives.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/causes.hpp"
#include "sim/replay/trace_scan.hpp"
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

using workloads::traces::CollectiveOp;

// The time of an event in the trace, and its new time.
struct Times {
  Ticks before = 0;
  Ticks after = 0;
};

// The members of a collective that one member waits for.
enum class WaitsFor : std::uint8_t { nobody, root, all, lower_ranks, lower_ranks_and_itself };
WaitsFor waits_for(CollectiveOp op, bool is_root);

struct CollectiveMember {
  TraceRank rank = 0;
  bool has_entered = false;
  Times enter, leave;
  PathId path = root_path;
  Ticks ended = 0;  // time of the end event in the trace
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
  std::shared_ptr<const Marks> marks = {};  // only with ReplayArgs::causes
};

struct CollectiveInstance {
  CollectiveOp op = CollectiveOp::other;          // as called by the first rank to enter
  std::uint32_t root = workloads::traces::none;   // member, as given by that rank
  TraceRank first_rank = 0;                       // the first rank to enter
  std::vector<CollectiveMember> members;          // by rank in the communicator
  Times last_enter{INT64_MIN, INT64_MIN};         // latest enter so far
  std::uint32_t last_before = 0, last_after = 0;  // the members with these enters
  std::size_t entered = 0;
  std::size_t left = 0;
  std::vector<TraceRank> waiting;

  // The range [from, to) of members that a member waits for.
  std::pair<std::uint32_t, std::uint32_t> awaited(std::uint32_t member) const;
  // The latest enter of the members that a member waits for; empty if they have not all entered;
  // INT64_MIN if the member does not wait.
  std::optional<Times> latest_cause(std::uint32_t member) const;
  // The member with the latest enter, by one of the two times, among those that have entered; empty
  // if the member does not wait.
  std::optional<std::uint32_t> latest_member(std::uint32_t member, Ticks Times::*which) const;
};

// Adds the wait states of the members, before and after.
void add_wait_states(const CollectiveInstance& instance, MetricTable& before, MetricTable& after);

// The ranks within communicators.
class MemberNumbers {
 public:
  explicit MemberNumbers(const workloads::traces::TraceDefinitions& definitions)
      : definitions_(definitions), numbers_(definitions.communicators.size()) {}

  // Throws std::system_error if the rank is not a member, which readers check.
  std::uint32_t of(std::uint32_t comm, TraceRank rank);
  // A new instance of the collective that the event ends, which no rank has entered.
  CollectiveInstance instance(TraceRank rank, const Event& event);

 private:
  const workloads::traces::TraceDefinitions& definitions_;
  std::vector<std::unordered_map<TraceRank, std::uint32_t>> numbers_;  // built on first use
};

}  // namespace tutti::studies::replay
