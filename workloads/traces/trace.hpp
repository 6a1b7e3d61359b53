// SPDX-License-Identifier: BSD-3-Clause
// A trace: what its identifiers mean, and the events of each rank as a stream. Events are in a file
// in memory where they are few, else in one in TMPDIR, so that memory does not grow with them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/unnamed_file.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::workloads::traces {

// The regions that a rank is in. Some tools write leaves that do not match: TraceR leaves a region
// while it is in another one of it. Reader and writer repair them in the same way.

class OpenRegions {
 public:
  struct Open {
    std::uint32_t region = 0;     // as the trace counts them: one name, one region
    std::uint32_t reference = 0;  // as the archive does
  };
  enum class Left {
    well,
    from_within,  // regions inside it were ended as well
    not_in        // the rank is not in it: nothing was ended
  };

  void enter(Open region) { open_.push_back(region); }

  // Ends the region, and before it those inside; `end` is called with each.
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

// What is odd about a trace, each sentence once, and how often it holds.

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
    if (omitted_ > 0) notes.push_back(std::to_string(omitted_) + " more such notes are left out");
    return notes;
  }

 private:
  std::vector<std::string> sentences_;
  std::vector<std::uint64_t> counts_;
  std::unordered_map<std::string, std::size_t> index_;
  std::uint64_t omitted_ = 0;
};

struct TraceDefinitions;

// How much there must be for all that events name, so that who gets them from a process that may
// have damaged its memory knows that they name nothing that is not there.
struct EventBounds {
  static constexpr std::size_t kinds = static_cast<std::size_t>(EventKind::other) + 1;
  // Before the first event of all ranks, and longer than any trace.
  static constexpr Ticks most_ticks = Ticks{1} << 62;

  std::array<std::uint64_t, kinds> ids{};  // by kind: the highest, and 1
  std::array<std::uint64_t, kinds> comms{};
  Ticks first = most_ticks;
  Ticks last = 0;
  std::uint8_t has_unknown = 0;  // kinds or operations: 1; any byte may come from elsewhere

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
    const bool has_no_root = event.kind == EventKind::collective_end && event.id == none;
    return has_no_root ? 0 : event.id + std::uint64_t{1};
  }
  static std::uint64_t least_comms(const Event& event) { return event.comm + std::uint64_t{1}; }
};

struct TraceRegion {
  std::string name;
  bool is_mpi = false;
};

struct TraceCommunicator {
  std::string name;
  std::vector<TraceRank> members;  // by rank of the communicator; empty: the caller alone
};

struct TraceDefinitions {
  double ticks_per_s = 1e9;
  std::vector<std::string> ranks;  // names
  std::vector<TraceRegion> regions;
  std::vector<TraceCommunicator> communicators;
  std::string creator;  // "Score-P 7.1"
};

// The events of a rank, in order.
class EventCursor {
 public:
  virtual ~EventCursor() = default;
  // Fills the buffer as far as there are events; 0: there are no more.
  virtual std::size_t read(std::span<Event> buffer) = 0;
};

// Of a rank, bytes of the file; the ranks' lie one behind the other.
struct EventRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t count = 0;  // of events
};

// What a store holds, as it goes from one process to another.
struct StoredEvents {
  std::optional<UnnamedFile> file;  // unset: there are no events
  bool is_in_memory = true;
  std::vector<EventRange> ranks;
  EventBounds bounds;
};

class EventStore {
 public:
  // Up to `most_in_memory_bytes` of all ranks together are kept in memory.
  explicit EventStore(std::size_t most_in_memory_bytes = std::size_t{256} << 20);
  explicit EventStore(StoredEvents stored);  // finished
  ~EventStore();
  EventStore(EventStore&&) noexcept;
  EventStore& operator=(EventStore&&) noexcept;

  // Ranks are written one after the other, each once: begin, then its events. An exception of kind
  // std::system_error: the temporary file cannot be written.
  void begin(TraceRank rank);
  void append(const Event& event);
  void finish();
  // All of a store that is finished; it is empty after that.
  StoredEvents release();
  // What cursors take from all times: the first one is known when all ranks are written.
  void start_at(Ticks first);
  // By how much later each rank's events are than they were written: its clock is another one.
  void shift(std::vector<Ticks> by_rank);

  std::uint64_t count(TraceRank rank) const;
  std::uint64_t count() const;
  // The store outlives it, and stays where it is or is moved. An exception of kind
  // std::system_error: the temporary file cannot be read.
  std::unique_ptr<EventCursor> cursor(TraceRank rank) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct Trace {
  TraceDefinitions definitions;
  EventStore events;
  Ticks first = 0;                 // of all ranks, on the trace's own clock
  bool has_times = true;           // false: of computation alone, calls took none
  std::vector<std::string> notes;  // what is odd about it, sentences
};

}  // namespace tutti::workloads::traces
