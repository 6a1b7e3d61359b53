// SPDX-License-Identifier: BSD-3-Clause
// The properties of calls that follow from their names.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// Sends in ready mode find their receive posted.
enum class SendMode : std::uint8_t { standard, synchronous, buffered, ready };

// Regions of threads that meet at locks and condition variables, and that share out work.
enum class ThreadRegion : std::uint8_t {
  none,
  critical,        // waits for its lock, then has it
  critical_block,  // inside of it, while it has the lock
  lock,            // pthread_mutex_lock
  unlock,
  condition_wait,
  condition_signal,
  condition_broadcast,
  loop,      // iterations may move from thread to thread
  task_wait  // for tasks; runs others meanwhile
};

struct CallKind {
  bool is_call = false;  // not computation: TraceRegion::is_call
  SendMode send = SendMode::standard;
  bool probes = false;              // waits until a message can be received
  bool tests = false;               // requests, or an epoch
  bool peeks = false;               // tests whether a message can be received: MPI_Iprobe
  bool is_any = false;              // completes the requests that are done first: MPI_Waitany
  bool counts_work = false;         // reads and changes a counter or flag of all ranks
  bool is_wait = false;             // for one request: MPI_Wait
  bool waits_for_requests = false;  // MPI_Wait, MPI_Waitall, ...
  bool is_local = false;            // never waits for other ranks
  bool is_of_all = false;           // all ranks call it once, without a record of it: MPI_Finalize
  bool starts_request = false;      // MPI_Iallreduce, MPI_Start
  bool starts_processes = false;    // MPI_Comm_spawn
  bool is_of_file = false;          // all ranks that share a file call it, without a record of it
  bool queries = false;             // tests whether operations of accelerators have ended
  bool polls() const { return tests || peeks || queries; }
  bool concerns_devices() const { return workloads::traces::is_of_devices(role); }
  workloads::traces::RegionRole role = workloads::traces::RegionRole::plain;
  ThreadRegion of_threads = ThreadRegion::none;
  // Its own time is not computation, although tasks may run in it.
  bool waits_for_threads() const {
    return role == workloads::traces::RegionRole::thread_barrier ||
           of_threads == ThreadRegion::task_wait;
  }
};

// A set of kinds of events.
class EventKinds {
 public:
  using Kind = workloads::traces::EventKind;
  template <class... Kinds>
  explicit constexpr EventKinds(Kinds... kinds) : bits_((bit(kinds) | ... | std::uint64_t{0})) {}
  // The kinds for which `belongs(kind)` is true.
  template <class Belongs>
  static constexpr EventKinds where(const Belongs& belongs) {
    EventKinds found;
    for (unsigned i = 0; i <= static_cast<unsigned>(Kind::other); ++i)
      if (belongs(static_cast<Kind>(i))) found.add(static_cast<Kind>(i));
    return found;
  }

  constexpr void add(Kind kind) { bits_ |= bit(kind); }
  constexpr bool has(Kind kind) const { return (bits_ & bit(kind)) != 0; }
  constexpr bool has_any(const EventKinds& of) const { return (bits_ & of.bits_) != 0; }
  constexpr bool has_others(const EventKinds& than) const { return (bits_ & ~than.bits_) != 0; }

 private:
  static constexpr std::uint64_t bit(Kind kind) {
    return std::uint64_t{1} << static_cast<unsigned>(kind);
  }
  std::uint64_t bits_ = 0;
};

// Kinds of workloads::traces::is_of_messages.
inline constexpr EventKinds message_kinds = EventKinds::where(workloads::traces::is_of_messages);

// Whether the region is a call where it is on this location: TraceDefinitions::is_call.
inline bool is_call(const CallKind& kind, const workloads::traces::TraceDefinitions& definitions,
                    workloads::traces::TraceRank location, std::uint32_t region) {
  return kind.is_call && (definitions.regions[region].is_mpi || !definitions.is_stream(location));
}

// By region.
std::vector<CallKind> call_kinds(const std::vector<workloads::traces::TraceRegion>& regions);

// Whether an event shows that a call has succeeded in what it waits or tests for.
inline bool completes(workloads::traces::EventKind kind) {
  using Kind = workloads::traces::EventKind;
  constexpr EventKinds all(Kind::recv, Kind::irecv, Kind::isend_complete, Kind::icollective_end,
                           Kind::group_sync, Kind::lock_acquire, Kind::lock_release);
  return all.has(kind);
}

}  // namespace tutti::studies::replay
