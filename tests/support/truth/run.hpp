// SPDX-License-Identifier: BSD-3-Clause
// Executes a program: actions begin in the order of time, and end as soon as all that they wait for
// is known.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/truth/locks.hpp"
#include "tests/support/truth/meetings.hpp"
#include "tests/support/truth/messages.hpp"
#include "tests/support/truth/streams.hpp"
#include "tests/support/truth/tasks.hpp"
#include "tests/support/truth/threads.hpp"
#include "tests/support/truth/windows.hpp"

namespace tutti::tests::truth {

class Execution {
 public:
  explicit Execution(const Program& program)
      : log_(program),
        messages_(log_, requests_, program.rank_count),
        meetings_(program, log_, requests_),
        windows_(program, log_),
        threads_(program, log_),
        streams_(program, log_),
        locks_(program, log_),
        tasks_(program, log_) {
    for (const Script& script : program.scripts) places_.push_back({.actions = script.actions});
    if (!program.has_main) return;
    for (int rank = 0; rank < program.rank_count; ++rank) {
      Actions& all = places_[static_cast<std::size_t>(rank)].actions;
      const bool is_started = !all.empty() && std::holds_alternative<AwaitFlag>(all.front()) &&
                              std::get<AwaitFlag>(all.front()).region.empty();
      all.insert(all.begin() + (is_started ? 1 : 0), Mark{"main", true});
      all.push_back(Mark{"main", false});
    }
  }

  Log run() {
    while (begin_next()) settle();
    for (const Place& place : places_) REQUIRE(place.next == place.actions.size());
    threads_.finish();
    streams_.finish();
    return std::move(log_);
  }

 private:
  struct Place {
    Actions actions;
    std::size_t next = 0;
    Time now = gap;
    std::optional<Call> call = {};  // in execution
    Time enter = 0;
    Actions then = {};  // actions that follow this one
    Time begin() const { return now + (is_outside() ? 0 : gap); }
    bool is_ready() const { return !call && next < actions.size(); }
    bool is_outside() const {
      const auto* compute = std::get_if<Compute>(&actions[next]);
      return compute != nullptr && compute->region.empty();
    }
  };

  // Begins the earliest action of a location that is not in a call.
  bool begin_next() {
    std::size_t earliest = places_.size();
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i].is_ready() &&
          (earliest == places_.size() || places_[i].begin() < places_[earliest].begin()))
        earliest = i;
    if (earliest == places_.size()) return false;
    Place& place = places_[earliest];
    place.enter = place.begin();
    place.then.clear();
    place.call = std::visit(
        [&](const auto& action) { return begin(static_cast<int>(earliest), action, place.enter); },
        place.actions[place.next]);
    return true;
  }

  void settle() {
    for (bool has_ended = true; has_ended;) {
      has_ended = false;
      for (std::size_t i = 0; i < places_.size(); ++i)
        has_ended = (!is_any(i) && end_call(i)) || has_ended;
      for (std::size_t i = 0; i < places_.size() && !has_ended; ++i)
        has_ended = is_any(i) && is_first(i) && end_call(i);
    }
  }

  bool is_any(std::size_t i) const { return places_[i].call && places_[i].call->is_any; }
  // Whether nothing that begins later can end the call earlier.
  bool is_first(std::size_t i) const {
    const auto leave = places_[i].call->leave();
    return leave && std::ranges::all_of(places_, [&](const Place& place) {
             return !place.is_ready() || *leave <= place.begin() + o + L;
           });
  }

  bool end_call(std::size_t i) {
    Place& place = places_[i];
    if (!place.call) return false;
    const auto leave = place.call->leave();
    if (!leave) return false;
    const Call call = *std::exchange(place.call, std::nullopt);
    const int me = static_cast<int>(i);
    place.now = *leave;
    log_.does_repeat = false;
    if (!call.region.empty()) log_.enter(me, place.enter, call.region);
    call.finish({me, place.enter, *leave});
    if (!call.region.empty()) log_.leave(me, *leave, call.region);
    place.actions.insert(place.actions.begin() + static_cast<std::ptrdiff_t>(place.next) + 1,
                         place.then.begin(), place.then.end());
    if (const auto* again = std::get_if<Again>(&place.actions[place.next]);
        again != nullptr && log_.has_failed[me])
      place.next -= again->actions;
    else if (!log_.does_repeat)
      ++place.next;
    return true;
  }

  Call begin(int, const Compute& compute, Time now) {
    return {.leave = at(now + compute.duration),
            .finish = [](const Span&) {},
            .region = compute.region};
  }

  Call begin(int me, const Mark& mark, Time now) {
    return {.leave = at(now), .finish = [=, this](const Span&) {
              if (mark.enters)
                log_.enter(me, now, mark.region);
              else
                log_.leave(me, now, mark.region);
            }};
  }

  // The next action begins as if it followed the one before.
  Call begin(int, const Again&, Time now) {
    return {.leave = at(now - gap), .finish = [](const Span&) {}};
  }

  // The piece of work comes next, then another one.
  Call begin(int me, const Draw& draw, Time now) {
    const std::size_t piece = drawn_[draw.counter]++;
    return {.leave = at(now + o + L),
            .finish =
                [=, this](const Span&) {
                  if (piece >= draw.durations.size()) return;
                  Place& place = places_[static_cast<std::size_t>(me)];
                  const auto next = place.actions.begin() + static_cast<std::ptrdiff_t>(place.next);
                  const Action work = Compute{draw.region, draw.durations[piece]};
                  place.actions.insert(next + 1, {work, draw});
                },
            .region = "MPI_Fetch_and_op"};
  }

  Call wait_any(int me, const Complete& complete, Time now) {
    const auto first = [=, this]() -> std::pair<Time, int> {
      std::pair<Time, int> earliest{INT64_MAX, 0};
      for (const int each : complete.requests)
        if (const auto found = requests_.find({me, each}); found != requests_.end())
          if (const auto ready = found->second.ready())
            earliest = std::min(earliest, {*ready, each});
      return earliest;
    };
    return {.leave = [=]() -> std::optional<Time> {
              const Time time = first().first;
              return time == INT64_MAX ? std::nullopt : std::optional(std::max(now + o, time));
            },
            .finish = [=, this](const Span& call) { end_request(first().second, call, complete); },
            .region = complete.region,
            .is_any = true};
  }

  Call begin(int me, const Complete& complete, Time now) {
    if (complete.is_test()) return test(me, complete, now);
    if (complete.is_any()) return wait_any(me, complete, now);
    return {.leave = [=, this]() -> std::optional<Time> {
              Time last = now + o;
              for (const int each : complete.requests) {
                const auto found = requests_.find({me, each});
                if (found == requests_.end()) continue;  // an earlier test completed it
                const auto ready = found->second.ready();
                if (!ready) return std::nullopt;
                last = std::max(last, *ready);
              }
              return last;
            },
            .finish =
                [=, this](const Span& call) {
                  for (const int each : complete.requests) end_request(each, call, complete);
                },
            .region = complete.region};
  }

  // Succeeds if the request is complete at its end, or was before.
  Call test(int me, const Complete& complete, Time now) {
    const int number = complete.requests.at(0);
    return {.leave = at(now + o),
            .finish =
                [=, this](const Span& call) {
                  const auto found = requests_.find({me, number});
                  log_.has_failed[me] = false;
                  if (found == requests_.end()) return;
                  const auto ready = found->second.ready();
                  if (ready && *ready <= call.leave) return end_request(number, call, complete);
                  log_.does_repeat = complete.repeats;
                  log_.has_failed[me] = true;
                  log_.write(me, call.leave, [id = found->second.id](auto* to, auto time) {
                    return OTF2_EvtWriter_MpiRequestTest(to, nullptr, time, id);
                  });
                },
            .region = complete.region};
  }

  void end_request(int number, const Span& call, const Complete& by) {
    if (const auto request = requests_.extract({call.place, number}))
      request.mapped().complete(call, by);
  }

  Call begin(int me, const Meet& what, Time now) {
    Call call = meetings_.begin(me, what, now);
    if (what.records != Meet::Records::window) return call;
    const auto finish = call.finish;
    call.finish = [=, this](const Span& span) {
      finish(span);
      windows_.complete_puts(me, what.object, span.leave);
    };
    return call;
  }

  Call begin(int me, const Send& what, Time now) { return messages_.begin(me, what, now); }
  Call begin(int me, const Recv& what, Time now) { return messages_.begin(me, what, now); }
  Call begin(int me, const Sendrecv& what, Time now) { return messages_.begin(me, what, now); }
  Call begin(int me, const Probe& what, Time now) { return messages_.begin(me, what, now); }
  Call begin(int me, const RecvAny& what, Time now) { return messages_.begin(me, what, now); }
  Call begin(int me, const Reply& what, Time now) { return messages_.begin(me, what, now); }
  Call begin(int me, const Peek& what, Time now) { return messages_.begin(me, what, now); }
  Call begin(int me, const Flag& what, Time now) { return messages_.begin(me, what, now); }
  Call begin(int me, const AwaitFlag& what, Time now) { return messages_.begin(me, what, now); }
  Call begin(int me, const Put& what, Time now) { return windows_.begin(me, what, now); }
  Call begin(int me, const Epoch& what, Time now) { return windows_.begin(me, what, now); }
  Call begin(int me, const Lock& what, Time now) { return windows_.begin(me, what, now); }
  Call begin(int me, const Unlock& what, Time now) { return windows_.begin(me, what, now); }
  Call begin(int me, const Fork& what, Time now) { return threads_.begin(me, what, now); }
  Call begin(int me, const Team& what, Time now) { return threads_.begin(me, what, now); }
  Call begin(int me, const Join& what, Time now) { return threads_.begin(me, what, now); }
  Call begin(int me, const Barrier& what, Time now) { return threads_.begin(me, what, now); }
  Call begin(int me, const Acquire& what, Time now) { return locks_.begin(me, what, now); }
  Call begin(int me, const Release& what, Time now) { return locks_.begin(me, what, now); }
  Call begin(int me, const Produce& what, Time now) { return locks_.begin(me, what, now); }
  Call begin(int me, const Consume& what, Time now) {
    return locks_.begin(me, what, now, places_[static_cast<std::size_t>(me)].then);
  }
  Call begin(int me, const Create& what, Time now) { return tasks_.begin(me, what, now); }
  Call begin(int me, const EndTask& what, Time now) { return tasks_.begin(me, what, now); }
  Call begin(int me, const TaskBarrier& what, Time now) {
    return tasks_.begin(me, what, now, places_[static_cast<std::size_t>(me)].then);
  }
  Call begin(int me, const Iterate& what, Time now) {
    return tasks_.begin(me, what, now, places_[static_cast<std::size_t>(me)].then);
  }
  Call begin(int me, const Launch& what, Time now) { return streams_.begin(me, what, now); }
  Call begin(int me, const Await& what, Time now) { return streams_.begin(me, what, now); }
  Call begin(int me, const RecordEvent& what, Time now) { return streams_.begin(me, what, now); }
  Call begin(int me, const OrderStream& what, Time now) { return streams_.begin(me, what, now); }
  Call begin(int me, const QueryStreams& what, Time now) { return streams_.begin(me, what, now); }

  Log log_;
  Requests requests_;
  Messages messages_;
  Meetings meetings_;
  Windows windows_;
  Threads threads_;
  Streams streams_;
  Locks locks_;
  Tasks tasks_;
  std::vector<Place> places_;
  std::map<int, std::size_t> drawn_;  // pieces of work, by counter
};

inline Log run(const Program& program) { return Execution(program).run(); }

}  // namespace tutti::tests::truth
