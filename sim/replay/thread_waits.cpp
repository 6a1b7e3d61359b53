// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/thread_waits.hpp"

#include "sim/replay/event_reader.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::Event;
using workloads::traces::EventKind;
using workloads::traces::Trace;
using workloads::traces::TraceRank;
using Ticks = ThreadWait::Ticks;

constexpr std::size_t no_wait = SIZE_MAX;
constexpr Ticks never_released = -ThreadWait::never;

// A thread has a lock for some time.
struct LockHold {
  TraceRank location = 0;
  std::size_t acquire = no_wait, release = no_wait;  // among the waits of the location
  Ticks request = 0, acquired = 0, released = never_released;
  Ticks latest = 0;        // the lock was acquired at this time at the latest
  std::uint64_t lock = 0;  // its identifier in the process or, by name, the region around it
  std::uint32_t order = 0;
  bool is_critical = false;
  bool has_time = true;  // otherwise `acquired` follows from the other owners
  bool waits_for_signal = false;
};

// The waits of a location, by records or by names.
struct FoundLocks {
  std::vector<ThreadWait> waits;
  std::vector<LockHold> ownerships;
  std::vector<std::size_t> open;  // ownerships, the last one acquired at the end
};

struct ConditionSignal {
  Ticks time = 0;
  TraceRank location = 0;
  std::size_t wait = 0;  // among the waits of the location
  bool is_for_all = false;
};

struct LocksOfLocation {
  FoundLocks by_record, by_name;
  struct Signal {
    std::uint64_t position = 0;
    Ticks time = 0;
    bool is_for_all = false;
  };
  std::vector<Signal> signals;
};

// Reads the events of a location.
class LockReader {
 public:
  LockReader(const Trace& trace, const std::vector<CallKind>& kinds, TraceRank location)
      : trace_(trace), kinds_(kinds), location_(location) {}

  LocksOfLocation read() {
    visit_events(trace_, location_, [&](const Event& event) {
      take(event);
      last_ = event.time;
      ++position_;
    });
    return std::move(made_);
  }

 private:
  struct Open {
    std::uint32_t region = 0;
    ThreadRegion kind = ThreadRegion::none;
    bool has_block = false;
  };

  void take(const Event& event) {
    if (is_requested_) {
      is_requested_ = false;
      const bool is_block = event.kind == EventKind::enter && kind_of(event) == T::critical_block;
      LockHold& hold = acquire(made_.by_name, open_.back().region, true, event);
      hold.has_time = is_block;
      open_.back().has_block = is_block;
    }
    switch (event.kind) {
      case EventKind::enter:
        return enter(event);
      case EventKind::leave:
        return leave(event);
      case EventKind::thread_acquire:
        return acquire_recorded(event);
      case EventKind::thread_release:
        return release(made_.by_record, event.request, event);
      default:
        return;
    }
  }

  ThreadRegion kind_of(const Event& event) const { return kinds_[event.id].of_threads; }
  ThreadRegion inside() const { return open_.empty() ? T::none : open_.back().kind; }

  void enter(const Event& event) {
    const ThreadRegion kind = kind_of(event);
    open_.push_back({event.id, kind});
    if (kind == T::critical) is_requested_ = true;
    if (kind == T::unlock || kind == T::condition_wait) release_last(made_.by_name, event);
    if (kind == T::condition_signal || kind == T::condition_broadcast)
      made_.signals.push_back({position_, event.time, kind == T::condition_broadcast});
  }

  void leave(const Event& event) {
    if (open_.empty()) return;
    const Open over = open_.back();
    open_.pop_back();
    const std::uint32_t around = open_.empty() ? ThreadWait::none : open_.back().region;
    if (over.kind == T::lock) acquire(made_.by_name, around, false, event);
    if (over.kind == T::condition_wait)
      acquire(made_.by_name, around, false, event).waits_for_signal = true;
    if (over.kind == T::critical_block && inside() == T::critical && open_.back().has_block)
      release_last(made_.by_name, event);
    if (over.kind == T::critical && !over.has_block) release_last(made_.by_name, event);
  }

  LockHold& acquire(FoundLocks& found, std::uint64_t lock, bool is_critical, const Event& event) {
    found.open.push_back(found.ownerships.size());
    found.ownerships.push_back({.location = location_,
                                .acquire = found.waits.size(),
                                .request = last_,
                                .acquired = event.time,
                                .latest = event.time,
                                .lock = lock,
                                .is_critical = is_critical});
    found.waits.push_back({.is_critical = is_critical, .position = position_});
    return found.ownerships.back();
  }

  // A lock that its owner acquires again is released as often.
  void acquire_recorded(const Event& event) {
    if (++depths_[event.request] > 1) return;
    LockHold& hold = acquire(made_.by_record, event.request, inside() == T::critical, event);
    hold.order = event.tag;
    hold.waits_for_signal = inside() == T::condition_wait;
  }

  void release(FoundLocks& found, std::uint64_t lock, const Event& event) {
    auto& depth = depths_[lock];
    if (depth == 0 || --depth > 0) return;
    const auto mine = std::ranges::find_if(
        found.open, [&](std::size_t hold) { return found.ownerships[hold].lock == lock; });
    end(found, mine, event);
  }
  void release_last(FoundLocks& found, const Event& event) {
    if (!found.open.empty()) end(found, found.open.end() - 1, event);
  }
  void end(FoundLocks& found, std::vector<std::size_t>::iterator open, const Event& event) {
    LockHold& hold = found.ownerships[*open];
    hold.release = found.waits.size();
    hold.released = event.time;
    found.waits.push_back({.kind = ThreadWait::Kind::release, .position = position_});
    found.open.erase(open);
  }

  using T = ThreadRegion;
  const Trace& trace_;
  const std::vector<CallKind>& kinds_;
  TraceRank location_;
  LocksOfLocation made_;
  std::vector<Open> open_;
  std::unordered_map<std::uint64_t, int> depths_;  // of recorded locks
  std::uint64_t position_ = 0;
  Ticks last_ = 0;             // the time of the event before
  bool is_requested_ = false;  // a critical section has begun with the last event
};

// The locks of a process.
class LocksOfProcess {
 public:
  LocksOfProcess(TraceRank rank, ThreadWaits& result) : rank_(rank), result_(result) {}

  void add(TraceRank location, LocksOfLocation&& of) {
    has_records_ |= !of.by_record.ownerships.empty();
    locations_.emplace_back(location, std::move(of));
  }

  void find() {
    for (auto& [location, of] : locations_) {
      FoundLocks& found = has_records_ ? of.by_record : of.by_name;
      for (const LockHold& hold : found.ownerships) ownerships_.push_back(hold);
      result_.of[location] = std::move(found.waits);
    }
    match_signals();
    std::map<std::pair<bool, std::uint64_t>, std::vector<LockHold*>> locks;
    for (LockHold& hold : ownerships_)
      locks[{hold.is_critical && !has_records_, hold.lock}].push_back(&hold);
    if (has_records_) {
      for (auto& [key, owners] : locks) number(owners, true);
    } else {
      for (const bool is_critical : {false, true}) by_name(locks, is_critical);
    }
    for (auto& [location, of] : locations_)
      std::ranges::stable_sort(result_.of[location], {}, &ThreadWait::position);
  }

 private:
  using Owners = std::vector<LockHold*>;

  ThreadWait& wait_of(const LockHold& hold) { return result_.of[hold.location][hold.acquire]; }

  // The signals of all threads in the order of their times, each with a wait of its location. The
  // first has the number `first`.
  std::vector<ConditionSignal> add_signals(std::uint32_t first) {
    std::vector<ConditionSignal> signals;
    for (auto& [location, of] : locations_)
      for (const auto& signal : of.signals) {
        auto& waits = result_.of[location];
        signals.push_back({signal.time, location, waits.size(), signal.is_for_all});
        waits.push_back({.kind = ThreadWait::Kind::signal, .position = signal.position});
      }
    std::ranges::stable_sort(signals, {}, &ConditionSignal::time);
    for (std::size_t i = 0; i < signals.size(); ++i)
      result_.of[signals[i].location][signals[i].wait].number =
          first + static_cast<std::uint32_t>(i);
    return signals;
  }

  // Each signal ends one wait, the first that can end by it, a broadcast all.
  void match_signals() {
    const auto first = static_cast<std::uint32_t>(result_.takers.size());
    const auto signals = add_signals(first);
    result_.takers.resize(first + signals.size());
    Owners waits;
    for (LockHold& hold : ownerships_)
      if (hold.waits_for_signal) waits.push_back(&hold);
    std::ranges::stable_sort(waits, {}, &LockHold::acquired);
    for (LockHold* wait : waits) {
      auto signal = std::ranges::lower_bound(signals, wait->request, {}, &ConditionSignal::time);
      const auto is_free = [&](const ConditionSignal& of) {
        return of.is_for_all || result_.takers[first + (&of - signals.data())] == 0;
      };
      while (signal != signals.end() && signal->time <= wait->acquired && !is_free(*signal))
        ++signal;
      if (signal == signals.end() || signal->time > wait->acquired) continue;
      const auto number = first + static_cast<std::uint32_t>(signal - signals.begin());
      ++result_.takers[number];
      wait_of(*wait).signal = number;
      wait->request = signal->time;
    }
    has_signals_ = !signals.empty();
    has_waits_ = !waits.empty();
  }

  template <class Locks>
  void by_name(Locks& locks, bool is_critical) {
    std::vector<Owners*> groups;
    Owners all;
    for (auto& [key, owners] : locks) {
      if (key.first != is_critical) continue;
      groups.push_back(&owners);
      all.insert(all.end(), owners.begin(), owners.end());
    }
    if (groups.empty()) return;
    if (put_in_order(all)) return number(all, groups.size() == 1 || hands_over(all));
    for (Owners* owners : groups) number(*owners, groups.size() == 1);
  }

  // Whether owners from different regions wait for each other.
  static bool hands_over(const Owners& owners) {
    for (std::size_t i = 1; i < owners.size(); ++i)
      if (owners[i]->lock != owners[i - 1]->lock && owners[i]->request < owners[i - 1]->released &&
          owners[i]->acquired - owners[i - 1]->released <
              owners[i - 1]->released - owners[i]->request)
        return true;
    return false;
  }

  // Sorts the owners of a lock; false if they overlap in time.
  static bool put_in_order(Owners& owners) {
    std::ranges::stable_sort(owners, {}, [](const LockHold* hold) {
      return std::tuple(hold->has_time ? hold->acquired : hold->released, hold->order);
    });
    Ticks released = ThreadWait::never;
    for (LockHold* hold : owners) {
      if (!hold->has_time) hold->acquired = std::max(hold->request, released);
      if (hold->acquired < released || hold->acquired > hold->latest) return false;
      released = hold->released;
    }
    return true;
  }

  void number(Owners& owners, bool is_one_lock) {
    const bool is_known = put_in_order(owners);
    const auto lock = static_cast<std::uint32_t>(result_.locks.size());
    const bool has_conditions = std::ranges::any_of(owners, &LockHold::waits_for_signal) ||
                                (has_signals_ && !has_waits_ && !owners.front()->is_critical);
    std::size_t shown = 0;  // threads that waited together, and got the lock in order
    bool is_fifo = true;
    const LockHold* before = nullptr;
    for (std::uint32_t i = 0; i < owners.size(); ++i) {
      LockHold& hold = *owners[i];
      ThreadWait& acquire = wait_of(hold);
      acquire.acquired = is_known || hold.has_time ? hold.acquired : hold.request;
      acquire.may_wait = has_conditions && acquire.signal == ThreadWait::none;
      if (!is_known) continue;
      acquire.lock = lock;
      acquire.number = i;
      if (before != nullptr) {
        acquire.released = before->released;
        is_fifo &=
            std::pair(before->request, before->location) < std::pair(hold.request, hold.location) ||
            before->location == hold.location;
        shown += hold.request < before->acquired;
      }
      if (hold.release != no_wait) {
        result_.of[hold.location][hold.release].lock = lock;
        result_.of[hold.location][hold.release].number = i;
      }
      before = &hold;
    }
    constexpr std::size_t enough = 8;
    if (is_known)
      result_.locks.push_back({rank_, is_fifo, is_fifo && shown >= enough, is_one_lock});
  }

  TraceRank rank_;
  ThreadWaits& result_;
  std::vector<std::pair<TraceRank, LocksOfLocation>> locations_;
  std::vector<LockHold> ownerships_;
  bool has_records_ = false, has_signals_ = false, has_waits_ = false;
};

}  // namespace

ThreadWaits find_thread_waits(const Trace& trace, const std::vector<CallKind>& kinds) {
  const auto& definitions = trace.definitions;
  ThreadWaits result;
  bool has_threads = false;
  for (TraceRank location = 0; location < definitions.locations(); ++location)
    has_threads |= !definitions.is_stream(location) && definitions.rank_of(location) != location;
  if (!has_threads) return result;
  result.of.resize(definitions.locations());
  std::map<TraceRank, LocksOfProcess> processes;
  for (TraceRank location = 0; location < definitions.locations(); ++location) {
    if (definitions.is_stream(location)) continue;
    const TraceRank rank = definitions.rank_of(location);
    processes.try_emplace(rank, rank, result)
        .first->second.add(location, LockReader(trace, kinds, location).read());
  }
  for (auto& [rank, process] : processes) process.find();
  if (std::ranges::all_of(result.of, &std::vector<ThreadWait>::empty)) return {};
  return result;
}

}  // namespace tutti::studies::replay
