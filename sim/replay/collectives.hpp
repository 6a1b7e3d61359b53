// SPDX-License-Identifier: BSD-3-Clause
// Collectives under way: who has entered, who waits for whom, and the wait states of those that are
// over.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/causes.hpp"
#include "sim/replay/trace_scan.hpp"
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

using workloads::traces::CollectiveOp;

// A time of the trace, and the new one.
struct Times {
  Ticks before = 0;
  Ticks after = 0;
};

// Which members one of a collective waits for.
enum class WaitsFor : std::uint8_t { nobody, root, all, lower_ranks, lower_ranks_and_itself };
WaitsFor waits_for(CollectiveOp op, bool is_root);

struct CollectiveMember {
  TraceRank rank = 0;
  bool has_entered = false;
  Times enter, leave;
  PathId path = root_path;
  Ticks ended = 0;  // the event in the trace
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
  std::shared_ptr<const Marks> marks = {};  // where causes are wanted
};

struct CollectiveInstance {
  CollectiveOp op = CollectiveOp::other;          // of the first to enter
  std::uint32_t root = workloads::traces::none;   // member; the same
  TraceRank first_rank = 0;                       // who that is
  std::vector<CollectiveMember> members;          // by rank of the communicator
  Times last_enter{INT64_MIN, INT64_MIN};         // of those that have entered
  std::uint32_t last_before = 0, last_after = 0;  // members: whose they are
  std::size_t entered = 0;
  std::size_t left = 0;
  std::vector<TraceRank> waiting;

  // The members that one waits for: from, to.
  std::pair<std::uint32_t, std::uint32_t> awaited(std::uint32_t member) const;
  // The latest one to enter of those that a member waits for; nothing: they have not all entered.
  // Members that wait for nobody: the least of all times.
  std::optional<Times> latest_cause(std::uint32_t member) const;
  // Who that is, of one of the two times, of those that have entered; nothing: it waits for nobody.
  std::optional<std::uint32_t> latest_member(std::uint32_t member, Ticks Times::*which) const;
};

// Adds what the members waited, before and after.
void add_wait_states(const CollectiveInstance& instance, MetricTable& before, MetricTable& after);

// Whose rank of the communicator each one is.
class MemberNumbers {
 public:
  explicit MemberNumbers(const workloads::traces::TraceDefinitions& definitions)
      : definitions_(definitions), numbers_(definitions.communicators.size()) {}

  // std::system_error: it is none of them, which no reader lets pass.
  std::uint32_t of(std::uint32_t comm, TraceRank rank);
  // A collective that an event of the rank ends, before anybody has entered it.
  CollectiveInstance instance(TraceRank rank, const Event& event);

 private:
  const workloads::traces::TraceDefinitions& definitions_;
  std::vector<std::unordered_map<TraceRank, std::uint32_t>> numbers_;  // made when asked for
};

}  // namespace tutti::studies::replay
