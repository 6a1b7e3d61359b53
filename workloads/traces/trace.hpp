// SPDX-License-Identifier: BSD-3-Clause
// A trace: its definitions, and the events of each rank as a stream. Events are stored in an
// in-memory file, or in a file in TMPDIR if there are many, so that memory does not grow with them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/unnamed_file.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::workloads::traces {

// The stack of regions that a rank has entered. Some tools write unmatched leaves: TraceR leaves a
// region before its inner regions. The reader and the writer repair them in the same way.
class OpenRegions {
 public:
  struct Open {
    std::uint32_t region = 0;     // index in the trace, one per name
    std::uint32_t reference = 0;  // identifier in the archive
  };
  enum class Left {
    well,
    from_within,  // inner regions were ended as well
    not_in        // the rank is not in the region: nothing was ended
  };

  void enter(Open region) { open_.push_back(region); }

  // Ends the region after its inner regions; calls `end` for each.
  template <class End>
  Left leave(std::uint32_t region, const End& end) {
    if (!open_.empty() && open_.back().region == region) {
      end_innermost(end);
      return Left::well;
    }
    std::size_t depth = open_.size();
    while (depth > 0 && open_[depth - 1].region != region) --depth;
    if (depth == 0) return Left::not_in;
    while (open_.size() >= depth) end_innermost(end);
    return Left::from_within;
  }

  // Requires that a region is open.
  std::uint32_t innermost() const { return open_.back().region; }
  bool empty() const { return open_.empty(); }

  template <class End>
  void leave_all(const End& end) {
    while (!open_.empty()) end_innermost(end);
  }

 private:
  template <class End>
  void end_innermost(const End& end) {
    const Open ended = open_.back();
    open_.pop_back();
    end(ended);
  }

  std::vector<Open> open_;
};

// Collects the peculiarities of a trace: each sentence once, with the number of occurrences.
class Notes {
 public:
  static constexpr std::size_t most = 50;

  void add(const std::string& sentence, std::uint64_t times = 1) {
    const auto [found, is_new] = index_.try_emplace(sentence, counts_.size());
    if (!is_new) {
      counts_[found->second] += times;
    } else if (counts_.size() < most) {
      sentences_.push_back(sentence);
      counts_.push_back(times);
    } else {
      index_.erase(found);
      ++omitted_;
    }
  }

  std::vector<std::string> all() const {
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < sentences_.size(); ++i)
      notes.push_back(sentences_[i] +
                      (counts_[i] == 1 ? "" : " (" + std::to_string(counts_[i]) + " times)"));
    if (omitted_ > 0) notes.push_back(std::to_string(omitted_) + " more notes are omitted");
    return notes;
  }

 private:
  std::vector<std::string> sentences_;
  std::vector<std::uint64_t> counts_;
  std::unordered_map<std::string, std::size_t> index_;
  std::uint64_t omitted_ = 0;
};

struct TraceDefinitions;

// The minimum sizes of the tables that the events refer to. The recipient of events from a process
// whose memory may be corrupted uses them to check that no event refers to a missing entry.
struct EventBounds {
  static constexpr std::size_t kinds = static_cast<std::size_t>(EventKind::other) + 1;
  // Larger than any timestamp and than the duration of any trace.
  static constexpr Ticks most_ticks = Ticks{1} << 62;

  std::array<std::uint64_t, kinds> ids{};  // by kind: the highest id plus 1
  std::array<std::uint64_t, kinds> comms{};
  Ticks first = most_ticks;
  Ticks last = 0;
  // 1 if a kind or an operation is unknown. Not a bool, since any byte may come from outside.
  std::uint8_t has_unknown = 0;

  void add(const Event& event) {
    if (!is_known(event)) [[unlikely]] {
      has_unknown = 1;
      return;
    }
    const auto kind = static_cast<std::size_t>(event.kind);
    ids[kind] = std::max(ids[kind], least_ids(event));
    comms[kind] = std::max(comms[kind], least_comms(event));
    first = std::min(first, event.time);
    last = std::max(last, event.time);
  }
  bool hold(const Event& event) const {
    const auto kind = static_cast<std::size_t>(event.kind);
    return is_known(event) && least_ids(event) <= ids[kind] && least_comms(event) <= comms[kind] &&
           event.time >= first && event.time <= last;
  }
  bool fit(const TraceDefinitions& definitions) const;

 private:
  static bool is_known(const Event& event) {
    return event.kind <= EventKind::other && event.op <= CollectiveOp::other;
  }
  static std::uint64_t least_ids(const Event& event) {
    const bool may_be_none =
        (event.kind >= EventKind::collective_end && event.kind <= EventKind::lock_release) ||
        event.kind == EventKind::other;
    return may_be_none && event.id == none ? 0 : event.id + std::uint64_t{1};
  }
  static std::uint64_t least_comms(const Event& event) {
    const bool is_none = event.kind == EventKind::other && event.comm == none;
    return is_none ? 0 : event.comm + std::uint64_t{1};
  }
};

// The role of a region that is not an MPI call.
enum class RegionRole : std::uint8_t {
  plain,
  parallel,        // of a team of threads
  thread_barrier,  // all threads of the team
  launch,          // starts an operation of an accelerator, and does not wait for it
  device_wait,     // operations of accelerators
  device_query,    // whether operations have ended
  device_record,   // an event of the operations so far: cudaEventRecord
  device_order,    // of streams: cudaStreamWaitEvent
};

constexpr bool is_of_devices(RegionRole role) {
  return role >= RegionRole::launch && role <= RegionRole::device_order;
}

struct TraceRegion {
  std::string name;
  bool is_mpi = false;
  RegionRole role = RegionRole::plain;

  // Whether an instance may wait for other locations, so that it is not computation.
  bool is_call() const { return is_mpi || role > RegionRole::parallel; }
};

struct TraceCommunicator {
  std::string name;
  // The ranks, or the threads of a team, by rank in it; empty if it has only the caller.
  std::vector<TraceRank> members;
  enum class Kind : std::uint8_t { mpi, window, team } kind = Kind::mpi;
  // The neighbors of each member in a Cartesian topology; empty if none is known.
  std::vector<std::vector<std::uint32_t>> neighbors = {};
};

// A location that is not the main thread of a rank.
struct TraceLocation {
  std::string name;
  TraceRank rank = 0;  // of its process
  enum class Kind : std::uint8_t { thread, stream } kind = Kind::thread;
};

// An outermost parallel region of a thread, where the trace has no records of teams.
struct ParallelRegion {
  std::uint32_t team = none;  // communicator; none: the thread meets no other one
  bool has_barriers = false;  // its barriers are those of all members
};

// The blocks of a v collective as one rank gives them, by peer: those that it sends (alltoallv, the
// root of scatterv), or those of all ranks (reduce_scatter).
struct BlockList {
  std::vector<std::uint64_t> bytes;
  std::uint32_t element_bytes = 1;

  auto operator<=>(const BlockList&) const = default;
};

struct TraceDefinitions {
  double ticks_per_s = 1e9;
  std::vector<std::string> ranks;       // names
  std::vector<std::string> nodes = {};  // by rank: the name of its node; empty: unknown
  std::vector<TraceRegion> regions;
  std::vector<TraceCommunicator> communicators;
  std::string creator;                              // "Score-P 7.1"
  std::vector<TraceLocation> others = {};           // their numbers follow those of the ranks
  std::vector<std::vector<TraceRank>> groups = {};  // of ranks, for group_sync
  // By location, in order (thread_teams.hpp); empty: teams are recorded, or there are no threads.
  std::vector<std::vector<ParallelRegion>> parallel = {};
  std::vector<BlockList> blocks = {};  // referred to by collective_end events, from 1 on

  double seconds(Ticks ticks) const { return static_cast<double>(ticks) / ticks_per_s; }
  std::size_t locations() const { return ranks.size() + others.size(); }
  const std::string& name(TraceRank location) const {
    return location < ranks.size() ? ranks[location] : others[location - ranks.size()].name;
  }
  // The blocks of a collective_end event; null if the trace has only its sizes.
  const BlockList* blocks_of(const Event& event) const {
    if (event.kind != EventKind::collective_end || event.tag == 0) return nullptr;
    return &blocks[event.tag - 1];
  }
  // The rank of a location's process.
  TraceRank rank_of(TraceRank location) const {
    return location < ranks.size() ? location : others[location - ranks.size()].rank;
  }
  // Whether the region is a call where it is on this location. The regions of a stream are
  // operations, whatever their names.
  bool is_call(TraceRank location, std::uint32_t region) const {
    return regions[region].is_mpi || (regions[region].is_call() && !is_stream(location));
  }
  // Whether the communicator consists of all ranks in order.
  bool is_world(const TraceCommunicator& communicator) const;
  // The first such communicator; none: there is none.
  std::uint32_t world() const;
  bool is_stream(TraceRank location) const {
    return location >= ranks.size() &&
           others[location - ranks.size()].kind == TraceLocation::Kind::stream;
  }
};

// Reads the events of a rank in order.
class EventCursor {
 public:
  virtual ~EventCursor() = default;
  // Fills the buffer as far as possible and returns the number of events; 0 at the end.
  virtual std::size_t read(std::span<Event> buffer) = 0;
};

// The bytes of a rank's events in the file. The ranges of the ranks are adjacent.
struct EventRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t count = 0;  // number of events
};

// The content of a store, for the transfer from one process to another.
struct StoredEvents {
  std::optional<UnnamedFile> file;  // unset: there are no events
  bool is_in_memory = true;
  std::vector<EventRange> ranks;
  EventBounds bounds;
};

// The shift of a location's clock as a function of its time: linear between the given points, and
// beyond them as between the nearest two. A correction must not reverse the order of times.
struct ClockCorrection {
  struct Point {
    Ticks time = 0;
    Ticks shift = 0;
  };
  std::vector<Point> points;  // in the order of times; empty: no shift, one: a constant shift

  Ticks shift_at(Ticks time) const;
  // The time whose corrected time is `corrected`.
  Ticks before(Ticks corrected) const;
};

class EventStore {
 public:
  // Keeps up to `most_in_memory_bytes` of all ranks together in memory.
  explicit EventStore(std::size_t most_in_memory_bytes = std::size_t{256} << 20);
  explicit EventStore(StoredEvents stored);  // finished
  ~EventStore();
  EventStore(EventStore&&) noexcept;
  EventStore& operator=(EventStore&&) noexcept;

  // Ranks are written one after the other, each once: `begin`, then its events. Throws
  // std::system_error if the temporary file cannot be written.
  void begin(TraceRank rank);
  void append(const Event& event);
  void finish();
  // Returns the content of a finished store and leaves it empty.
  StoredEvents release();
  // Sets the offset that cursors subtract from all times; it is known once all ranks are written.
  void start_at(Ticks first);
  // Corrects the times of each rank's events; empty: no rank's.
  void correct(std::vector<ClockCorrection> by_rank);

  std::uint64_t count(TraceRank rank) const;
  std::uint64_t count() const;
  // The store must outlive the cursor; it may be moved. The cursor throws std::system_error if the
  // temporary file cannot be read.
  std::unique_ptr<EventCursor> cursor(TraceRank rank) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct Trace {
  TraceDefinitions definitions;
  EventStore events;
  Ticks first = 0;                 // first event of all ranks, on the trace's own clock
  bool has_times = true;           // false: only computation takes time, calls do not
  std::vector<std::string> notes;  // peculiarities of the trace, as sentences
  // Of a window, the part of the trace before it, so that instances are numbered from the start;
  // null: none.
  std::shared_ptr<const Trace> before = nullptr;
};

// The arguments of a reader of traces.
struct TraceArgs {
  // The speeds of the cores that the ranks run on, in flop/s, for traces that count computation in
  // flops; null: 1 Gf each.
  std::function<Result<std::vector<double>>(std::size_t ranks)> core_speeds = {};
  // More events than these are stored in a temporary file.
  std::size_t most_in_memory_bytes = std::size_t{256} << 20;
};

}  // namespace tutti::workloads::traces
