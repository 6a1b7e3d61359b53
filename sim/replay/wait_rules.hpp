// SPDX-License-Identifier: BSD-3-Clause
// The waits of calls that MPI leaves to the library: whether standard sends wait for their
// receives, whether the members of a rooted collective wait for others than by its definition, and
// which call of an epoch waits. A trace shows these waits. A call does not wait for an event if it
// ends before the event. It waits for an event of another rank if its time varies with the time of
// that event, and does not vary otherwise.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

using workloads::traces::CollectiveOp;
using workloads::traces::Ticks;
using workloads::traces::TraceRank;

// The members of a collective that one member waits for.
enum class WaitsFor : std::uint8_t {
  nobody,
  root,
  all,
  lower_ranks,
  lower_ranks_and_itself,
  some  // of CollectiveInstance::some
};
// By definition of the operation.
WaitsFor waits_for(CollectiveOp op, bool is_root);

// Collectives that a library runs in the same way.
struct CollectiveKind {
  CollectiveOp op = CollectiveOp::other;
  bool is_root = false;
  bool is_nonblocking = false;
  bool is_neighborhood = false;
  int size_class = 0;  // power of two of the member's bytes
  auto operator<=>(const CollectiveKind&) const = default;
};
// The kind of the collective that an event of a region ends.
CollectiveKind kind_of(const workloads::traces::Event& end, bool is_root, std::string_view region);

// Collectives of a communicator in which the same members wait for each other.
struct CollectiveGroup {
  std::uint32_t comm = 0;
  CollectiveOp op = CollectiveOp::other;
  std::uint32_t root = workloads::traces::none;  // member
  bool is_nonblocking = false;
  bool is_neighborhood = false;
  auto operator<=>(const CollectiveGroup&) const = default;
};

// "MPI_Bcast (root)", "MPI_Ireduce".
std::string collective_name(const CollectiveKind& kind);

struct WaitRules {
  // Standard sends of at least this size wait until their receive is posted.
  std::uint64_t synchronous_bytes = UINT64_MAX;
  std::uint64_t doubtful_bytes = UINT64_MAX;  // the same, unless the trace shows the contrary
  bool start_waits = false;  // MPI_Win_start waits for MPI_Win_post, not only MPI_Win_complete
  bool lock_waits = false;   // MPI_Win_lock waits for the lock, not only MPI_Win_unlock
  std::map<CollectiveKind, WaitsFor> collectives;  // differences from the definitions
  // By member, the members that it may wait for: in collectives of neighborhoods without a known
  // topology, and in rooted ones whose messages take the way of a tree.
  std::map<CollectiveGroup, std::vector<std::vector<std::uint32_t>>> members;

  std::map<CollectiveKind, WaitsFor> doubtful_collectives;

  WaitsFor of(const CollectiveKind& kind) const;
  // Rules by which everything waits that may wait as far as the trace shows; empty if these do.
  std::optional<WaitRules> with_doubtful() const;
};

// Observations that support one of two assumptions about a group of calls: that they wait for an
// event of another rank, or that they do not.
class WaitEvidence {
 public:
  // Adds a call that ended at `end`. All other events that it depends on had happened at `begin`;
  // the event happened at `event`.
  void add(Ticks begin, Ticks end, Ticks event);
  // Whether the calls wait. `if_unclear`: the answer if their times do not vary.
  bool waits(bool if_unclear) const;
  std::uint64_t against() const { return against_; }
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 0;                   // calls that ended after the event
  std::uint64_t against_ = 0;                 // calls that ended before it
  double waited_ = 0;                         // sum of the times from begin to event
  double after_begin_ = 0, after_event_ = 0;  // sums of the times until the end
  Ticks least_after_begin_ = INT64_MAX, least_after_event_ = INT64_MAX;
};

struct CollectiveInstance;

class WaitLearner {
 public:
  // Adds the end of a send, or of the wait for it.
  void send(std::uint64_t bytes, Ticks begin, Ticks end, Ticks posted);
  // Adds an instance that all members have left.
  void collective(const CollectiveInstance& instance, std::uint32_t comm);
  // Adds MPI_Win_start or the lock call of an epoch, and the event that it may wait for.
  void start(Ticks begin, Ticks end, Ticks posted) { starts_.add(begin, end, posted); }
  void lock(Ticks begin, Ticks end, Ticks released) { locks_.add(begin, end, released); }

  WaitRules rules() const;

 private:
  void look_at_members(const CollectiveInstance& instance, std::uint32_t comm);
  std::uint64_t synchronous_bytes() const;
  std::uint64_t doubtful_bytes() const;
  void add_members(WaitRules& rules) const;

  struct OfSize {
    std::uint64_t least_bytes = UINT64_MAX;
    WaitEvidence evidence;
  };
  std::map<int, OfSize> sends_;  // by size class
  struct OfKind {
    WaitEvidence all, root;
  };
  std::map<CollectiveKind, OfKind> collectives_;
  struct OfGroup {
    std::vector<std::vector<bool>> may_wait;  // by member, for each other one
    // The first instances, by member.
    struct Call {
      CollectiveKind kind;
      Ticks begin = 0, enter = 0, leave = 0;
    };
    std::vector<std::vector<Call>> sample;
  };
  std::map<CollectiveGroup, OfGroup> groups_;
  WaitEvidence starts_, locks_;
};

}  // namespace tutti::studies::replay
