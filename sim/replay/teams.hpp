// SPDX-License-Identifier: BSD-3-Clause
// Teams of threads in a replay: a team begins with the fork of its first thread, which later waits
// for the end of all.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"

namespace tutti::studies::replay {

class Teams {
 public:
  // ---- begin ---- Stores the fork of the first thread, and returns the threads that waited for
  // it.
  std::vector<TraceRank> fork(const CollectiveNumber& number, const Received& fork) {
    Team& team = teams_[number];
    team.fork = fork;
    return std::exchange(team.waiting, {});
  }
  // The fork; empty if it has not happened, and the thread waits for it from now on. Each of the
  // `others` requests it once more when it has happened.
  std::optional<Received> fork_of(const CollectiveNumber& number, std::size_t others,
                                  TraceRank thread) {
    Team& team = teams_[number];
    if (!team.fork) {
      team.waiting.push_back(thread);
      return std::nullopt;
    }
    if (++team.begun < others) return team.fork;
    const auto fork = team.fork;
    teams_.erase(number);
    return fork;
  }

  // ---- end ---- Stores the end of a thread, and returns the threads that waited for the last end.
  std::vector<TraceRank> end(const CollectiveNumber& number, std::size_t members,
                             const Received& end) {
    Team& team = teams_[number];
    ++team.ended;
    if (!team.last_before || end.sent.before > team.last_before->sent.before)
      team.last_before = end;
    if (!team.last_after || end.sent.after > team.last_after->sent.after) team.last_after = end;
    return team.ended < members ? std::vector<TraceRank>{} : std::exchange(team.waiting, {});
  }
  // The last ends, before and after; empty if a thread has not ended, and the thread waits for it
  // from now on.
  std::optional<std::pair<Received, Received>> ends_of(const CollectiveNumber& number,
                                                       std::size_t members, TraceRank thread) {
    Team& team = teams_[number];
    if (team.ended >= members) return std::pair(*team.last_before, *team.last_after);
    team.waiting.push_back(thread);
    return std::nullopt;
  }
  void forget(const CollectiveNumber& number) { teams_.erase(number); }

 private:
  struct Team {
    std::optional<Received> fork;
    std::size_t begun = 0, ended = 0;
    std::optional<Received> last_before, last_after;
    std::vector<TraceRank> waiting;
  };
  std::map<CollectiveNumber, Team> teams_;
};

// The creations and the ends of single threads. One other thread waits for each of them.
class ThreadSignals {
 public:
  struct Key {
    TraceRank rank = 0;  // of the process
    std::uint32_t group = 0;
    std::uint64_t number = 0;
    bool is_end = false;
    auto operator<=>(const Key&) const = default;
  };
  // Returns the thread that waited for it, if any.
  std::vector<TraceRank> give(const Key& key, const Received& signal) {
    signals_[key].given = signal;
    return std::exchange(signals_[key].waiting, {});
  }
  // The signal; empty if it has not been given, and the thread waits for it from now on.
  std::optional<Received> take(const Key& key, TraceRank thread) {
    const auto entry = signals_.try_emplace(key).first;
    if (!entry->second.given) {
      entry->second.waiting.assign(1, thread);
      return std::nullopt;
    }
    return signals_.extract(entry).mapped().given;
  }

 private:
  struct Signal {
    std::optional<Received> given;
    std::vector<TraceRank> waiting;
  };
  std::map<Key, Signal> signals_;
};

}  // namespace tutti::studies::replay
