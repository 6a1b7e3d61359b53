// SPDX-License-Identifier: BSD-3-Clause
// The wait states of a run, in ns, from their definitions (sim/replay/README.md, "Wait states").
// E, L: begin and end of a call. A wait until t takes min(t, L) - E, at least 0; of several waits
// of the same kind in a call the longest counts.
#pragma once

#include <array>
#include <set>

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

namespace detail {

class WaitStates {
 public:
  explicit WaitStates(const History& history) {
    for (const char* name : {"late_sender",
                             "wrong_order_same_source",
                             "wrong_order_other_source",
                             "late_receiver",
                             "wait_at_barrier",
                             "barrier_completion",
                             "wait_at_nxn",
                             "nxn_completion",
                             "late_broadcast",
                             "early_reduce",
                             "early_scan",
                             "wait_at_window_create",
                             "wait_at_window_free",
                             "wait_at_fence",
                             "late_post",
                             "early_wait",
                             "late_complete",
                             "lock_contention",
                             "omp_barrier",
                             "critical_contention",
                             "idle_threads",
                             "late_kernel"})
      totals_[name] = 0;
    for (const auto& each : history.transfers) message(*each);
    for (const auto& each : history.meetings) meeting(*each);
    for (const auto& each : history.waits)
      if (each.until <= each.call.leave) wait(each.wait_state, each.call, each.until);
    wrong_order(history);
    for (const auto& [key, waited] : waits_)
      if (totals_.contains(std::get<0>(key))) totals_[std::get<0>(key)] += waited;
  }

  std::map<std::string, Time> take() { return std::move(totals_); }

 private:
  using Key = std::tuple<std::string, int, Time>;  // wait state, place, E

  void wait(const std::string& name, const Span& call, Time until) {
    const Time waited = std::min(until, call.leave) - call.enter;
    Time& longest = waits_[{name, call.place, call.enter}];
    longest = std::max(longest, waited);
  }

  // A receive, or a wait, for its sender; a blocking send, or a wait for one, for its receiver.
  void message(const Transfer& of) {
    if (of.receive && !of.is_tested) wait("late_sender", *of.receive, *of.sent);
    if (of.sending && of.posted && of.sending->leave >= *of.posted)
      wait("late_receiver", *of.sending, *of.posted);
  }

  void meeting(const Meeting& of) {
    if (!of.has_records) return;
    switch (of.op) {
      case OTF2_COLLECTIVE_OP_BARRIER:
        return mutual(of, of.region == "MPI_Win_fence" ? "wait_at_fence" : "wait_at_barrier",
                      "barrier_completion", false);
      case OTF2_COLLECTIVE_OP_ALLREDUCE:
      case OTF2_COLLECTIVE_OP_ALLTOALL:
        return mutual(of, "wait_at_nxn", "nxn_completion", true);
      case OTF2_COLLECTIVE_OP_BCAST:
      case OTF2_COLLECTIVE_OP_SCATTER:
        for (const auto& each : of.members)
          if (&each != &root(of)) wait("late_broadcast", *each.done, *root(of).begin);
        return;
      case OTF2_COLLECTIVE_OP_REDUCE:
      case OTF2_COLLECTIVE_OP_GATHER:
        return early_reduce(of);
      case OTF2_COLLECTIVE_OP_SCAN:
      case OTF2_COLLECTIVE_OP_EXSCAN:
        for (std::size_t p = 0; p < of.members.size(); ++p)
          for (std::size_t q = 0; q < p; ++q)
            wait("early_scan", *of.members[p].done, *of.members[q].begin);
        return;
      case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
        return at_window(of, "MPI_Win_create", "wait_at_window_create");
      case OTF2_COLLECTIVE_OP_DESTROY_HANDLE:
        return at_window(of, "MPI_Win_free", "wait_at_window_free");
      default:
        return;
    }
  }

  static const Meeting::Member& root(const Meeting& of) {
    return of.members[static_cast<std::size_t>(of.root)];
  }

  // All wait for the last one. Communicators are created without data.
  void at_window(const Meeting& of, const char* region, const char* name) {
    Time last = 0;
    for (const auto& each : of.members) last = std::max(last, *each.begin);
    for (const auto& each : of.members)
      if (of.region == region) wait(name, *each.done, last);
  }

  // The root waits for the earliest sender.
  void early_reduce(const Meeting& of) {
    Time earliest = INT64_MAX;
    for (const auto& each : of.members)
      if (&each != &root(of)) earliest = std::min(earliest, *each.begin);
    wait("early_reduce", *root(of).done, earliest);
  }

  void mutual(const Meeting& of, const std::string& name, const std::string& completion,
              bool has_data) {
    Time first_leave = INT64_MAX, last_enter = 0;
    bool has_neighbors = false;
    for (const auto& each : of.members) {
      first_leave = std::min(first_leave, each.done->leave);
      last_enter = std::max(last_enter, *each.begin);
      has_neighbors = has_neighbors || !each.neighbors.empty();
    }
    if (has_neighbors || !of.is_blocking) totals_.erase(completion);
    if (!of.is_described) totals_.erase(name);
    for (const auto& each : of.members) {
      if (has_data && (each.received == 0 || of.members.size() == 1)) continue;
      Time last = last_enter;
      if (!each.neighbors.empty()) last = 0;
      for (const int other : each.neighbors)
        last = std::max(last, *of.members[static_cast<std::size_t>(other)].begin);
      wait(name, *each.done, last);
      if (of.is_blocking && name != "wait_at_fence")
        completions_of(completion, *each.done, std::max(first_leave, last_enter));
    }
  }
  void completions_of(const std::string& completion, const Span& call, Time since) {
    waits_[{completion, call.place, call.enter}] = std::max<Time>(0, call.leave - since);
  }

  // A late sender is in the wrong order if a message that is received later was sent earlier.
  // Undefined if a call receives several messages: they have no order.
  void wrong_order(const History& history) {
    std::map<int, std::map<Time, const Transfer*>> received;  // by place and E
    for (const auto& each : history.transfers) {
      if (!each->receive || each->is_tested) continue;
      if (received[each->receive->place].try_emplace(each->receive->enter, each.get()).second)
        continue;
      totals_.erase("wrong_order_same_source");
      totals_.erase("wrong_order_other_source");
    }
    for (const auto& [place, by_enter] : received)
      for (auto late = by_enter.begin(); late != by_enter.end(); ++late) {
        const Time sent = *late->second->sent;
        const auto earlier = std::find_if(std::next(late), by_enter.end(), [&](const auto& each) {
          return *each.second->sent < sent;
        });
        if (earlier != by_enter.end())
          wait(earlier->second->from == late->second->from ? "wrong_order_same_source"
                                                           : "wrong_order_other_source",
               *late->second->receive, sent);
      }
  }

  std::map<Key, Time> waits_;  // the longest of each call
  std::map<std::string, Time> totals_;
};

}  // namespace detail

// The total of each wait state, without those that the program's calls leave undefined.
inline std::map<std::string, Time> wait_states(const History& history) {
  return detail::WaitStates(history).take();
}

}  // namespace tutti::tests::truth
