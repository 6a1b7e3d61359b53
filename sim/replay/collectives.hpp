// SPDX-License-Identifier: BSD-3-Clause
// Collectives in progress: the members that have entered, the members that each one waits for, and
// the wait states of completed collectives.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/causes.hpp"
#include "sim/replay/trace_scan.hpp"
#include "sim/replay/wait_rules.hpp"
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

// Work that a thread did, but might have left to another one of its team: tasks, or iterations of
// a loop.
struct SharedWork {
  bool has_any = false;
  Ticks largest = 0;  // new time of the largest part
};

struct CollectiveMember {
  TraceRank rank = 0;
  bool has_entered = false;
  bool is_tested = false;  // a test found it complete, so that nothing waited
  WaitsFor waits = WaitsFor::all;
  CollectiveKind kind;
  // The begin, for which others wait; enter and leave of the call that waits: the same call, unless
  // the collective is nonblocking.
  Times begin, enter, leave;
  PathId path = root_path;  // of that call
  Ticks ended = 0;          // time of the end event in the trace
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
  std::shared_ptr<const Marks> marks = {};  // only with ReplayArgs::causes
  SharedWork shared_work = {};              // before a barrier of threads
};

struct CollectiveInstance {
  CollectiveOp op = CollectiveOp::other;         // as called by the first rank to enter
  std::uint32_t root = workloads::traces::none;  // member, as given by that rank
  workloads::traces::TraceCommunicator::Kind of = workloads::traces::TraceCommunicator::Kind::mpi;
  TraceRank first_rank = 0;  // the first rank to enter
  // By member, the members that WaitsFor::some refers to; null: unknown, so that it waits for all.
  const std::vector<std::vector<std::uint32_t>>* some = nullptr;
  std::vector<CollectiveMember> members;          // by rank in the communicator
  Times last_begin{INT64_MIN, INT64_MIN};         // latest begin so far
  std::uint32_t last_before = 0, last_after = 0;  // the members with these begins
  std::size_t entered = 0;
  std::size_t left = 0;
  bool is_nonblocking = false;
  bool is_implicit = false;   // the trace has no record of it
  bool is_abandoned = false;  // a member never comes: the others do not wait
  bool frees = false;         // MPI_Win_free
  std::vector<TraceRank> waiting;

  // Calls `visit(member)` for each member that a member waits for, while it returns true.
  template <class Visit>
  void each_awaited(WaitsFor waits, std::uint32_t member, const Visit& visit) const;
  // The latest begin of the members that a member waits for; empty if they have not all begun;
  // INT64_MIN if the member does not wait.
  std::optional<Times> latest_cause(std::uint32_t member) const {
    return latest_cause_of(members[member].waits, member);
  }
  std::optional<Times> latest_cause_of(WaitsFor waits, std::uint32_t member) const;
  // The group of the instance. Requires that a member has entered.
  CollectiveGroup group(std::uint32_t comm) const;
  WaitKind kind_of_wait() const;
  // New times between which the last member of a barrier may begin if work moves between threads;
  // empty if they share none, or it does not change. Requires that all have entered.
  std::optional<std::pair<Ticks, Ticks>> range_of_last() const;
  // Marks a member as entered.
  void enter(std::uint32_t member, const Times& begin);
  // The member with the latest begin, by one of the two times, among those that have begun; empty
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
  // `is_neighborhood`: each member waits for its neighbors.
  CollectiveInstance instance(TraceRank rank, const Event& event, const WaitRules& rules,
                              bool is_neighborhood = false);

 private:
  const workloads::traces::TraceDefinitions& definitions_;
  std::vector<std::unordered_map<TraceRank, std::uint32_t>> numbers_;  // built on first use
};

}  // namespace tutti::studies::replay
