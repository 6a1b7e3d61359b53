// SPDX-License-Identifier: BSD-3-Clause
// Collectives in a replay: the instances in progress, from the first member that enters until the
// last one leaves.
#pragma once

#include "sim/replay/collectives.hpp"
#include "sim/replay/replay_notes.hpp"
#include "sim/replay/replay_state.hpp"

namespace tutti::studies::replay {

struct HashCollective {
  std::size_t operator()(const CollectiveNumber& number) const {
    return static_cast<std::size_t>((number.number * 0x9e3779b97f4a7c15) ^
                                    (std::uint64_t{number.comm} << 32 | number.alone));
  }
};

class CollectiveReplay {
 public:
  // The state must outlive this object.
  explicit CollectiveReplay(ReplayState& state) : state_(state), members_(state.definitions()) {}

  // A member of a collective: its number in the communicator.
  struct Member {
    CollectiveNumber number;
    CollectiveInstance& instance;
    std::uint32_t member;
  };
  // Determines the nonblocking collectives that the call begins.
  void read_begins(RankState& me);
  // Enters the collective that the event ends, unless the rank has entered it before, and wakes
  // the members that have waited for that.
  Member enter(RankState& me, const Event& event);
  // Begins a nonblocking collective.
  void begin(RankState& me, const Event& request);
  // Adds what the completion of a nonblocking collective waits for to Call::received; returns false
  // if that has not happened yet.
  bool gather(RankState& me, const Event& event);
  // Counts a collective that the event ended and the rank has left.
  static void count(RankState& me, const Event& event) { ++me.collectives.counts[event.comm]; }
  // Counts a cut event.
  static void forget(RankState& me, const Event& event);
  // Ends the waits of the members of this collective for each other.
  void abandon(const CollectiveNumber& number) { instances_[number].is_abandoned = true; }
  // Ends the collectives of the call for the rank; the last one to leave adds the wait states.
  void leave_call(RankState& me);

  // The member that another one waits for longest, and the place at which they meet.
  struct Cause {
    const CollectiveMember& member;
    Causes::Place place;
    WaitKind kind;
  };
  // The cause of the wait of a rank; empty if it does not wait, or if the other member has no
  // marks.
  std::optional<Cause> last_cause(const RankState& me, const CollectiveNumber& number,
                                  Ticks Times::*time);
  // A sentence about members that call different collectives; empty if all match.
  std::optional<std::string> note() const { return mismatches_.note(); }

 private:
  CollectiveInstance& instance_of(const CollectiveNumber& number, const RankState& me,
                                  const Event& event);
  Causes::Place place_of(const CollectiveInstance& instance, std::uint32_t comm,
                         Causes::Place pair) const;
  const std::string& region_name(const Call& call) const {
    return state_.definitions().regions[call.events.front().id].name;
  }

  ReplayState& state_;
  MemberNumbers members_;
  std::unordered_map<CollectiveNumber, CollectiveInstance, HashCollective> instances_;
  CollectiveMismatches mismatches_;
};

}  // namespace tutti::studies::replay
