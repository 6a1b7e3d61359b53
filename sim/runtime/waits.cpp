// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/waits.hpp"

namespace tutti::runtime {

// ---- requests ----

Request Waits::add(RankId owner, RankId peer, std::int32_t tag, Slice data) {
  const std::uint32_t index = job_.requests.take();
  RequestRecord& request = job_.requests[index];
  const std::uint32_t generation = request.generation;
  request = {};
  request.generation = generation;
  request.in_use = true;
  request.time_s = job_.ranks[owner].clock_s;
  request.owner = owner;
  request.peer = peer;
  request.tag = tag;
  request.data = data;
  return {index, generation};
}

void Waits::free(Request request) {
  RequestRecord& freed = job_.requests[request.index];
  freed.in_use = false;
  ++freed.generation;
  job_.requests.give_back(request.index);
}

void Waits::complete(std::uint32_t index, Seconds time_s) {
  RequestRecord& request = job_.requests[index];
  request.done = true;
  request.time_s = time_s;
  if (request.watched) return add_completion(index);
  if (!request.waited) return;
  RankState& owner = job_.ranks[request.owner];
  if (owner.waiting == Waiting::for_any) {
    schedule_choice(request.owner, time_s);
  } else if (--owner.missing == 0) {
    job_.transport.wake(request.owner);
  }
}

// ---- for all ----

bool Waits::start_all(RankId rank, std::span<const Request> requests) {
  if (job_.pattern != nullptr) return true;
  RankState& state = job_.ranks[rank];
  state.missing = 0;
  for (const Request& awaited : requests) {
    RequestRecord& request = record(awaited);
    TUTTI_CHECK(request.owner == rank, "a rank waits for another rank's request");
    TUTTI_CHECK(!request.waited, "a request occurs twice in one wait");
    request.waited = !request.done;
    state.missing += !request.done;
  }
  state.waiting = state.missing > 0 ? Waiting::for_all : Waiting::no;
  return state.missing == 0;
}

std::span<const Request> Waits::order_by_completion(std::span<const Request> requests) {
  const auto earlier = [&](const Request& a, const Request& b) {
    return job_.requests[a.index].time_s < job_.requests[b.index].time_s;
  };
  in_order_.assign(requests.begin(), requests.end());
  if (!std::ranges::is_sorted(in_order_, earlier)) std::ranges::stable_sort(in_order_, earlier);
  return in_order_;
}

// ---- for the first ----

bool Waits::start_any(RankId rank, std::span<const Request> requests) {
  TUTTI_CHECK(!requests.empty(), "wait_any needs at least one request");
  job_.require_time();
  job_.ranks[rank].waiting = Waiting::for_any;
  any_of_[rank] = requests;
  Seconds earliest_s = never;
  for (const Request& awaited : requests) {
    RequestRecord& request = record(awaited);
    TUTTI_CHECK(request.owner == rank, "a rank waits for another rank's request");
    TUTTI_CHECK(!request.waited, "a request occurs twice in one wait");
    request.waited = true;
    if (request.done) earliest_s = std::min(earliest_s, request.time_s);
  }
  if (earliest_s < never) schedule_choice(rank, earliest_s);
  return false;
}

void Waits::schedule_choice(RankId rank, Seconds not_before_s) {
  RankState& state = job_.ranks[rank];
  if (std::exchange(state.choice_scheduled, true)) return;
  job_.schedule(after_ties(std::max(state.clock_s, not_before_s)), Event::Kind::choose_completed,
                rank);
}

void Waits::choose_first(RankId rank, std::span<const Request> requests) {
  const RequestRecord* best = nullptr;
  const auto earlier = [](const RequestRecord& a, const RequestRecord& b) {
    if (b.time_s > after_ties(a.time_s)) return true;
    if (a.time_s > after_ties(b.time_s)) return false;
    return std::pair(a.peer, a.tag) < std::pair(b.peer, b.tag);
  };
  for (std::size_t i = 0; i < requests.size(); ++i) {
    RequestRecord& request = record(requests[i]);
    request.waited = false;
    if (!request.done || (best != nullptr && !earlier(request, *best))) continue;
    best = &request;
    job_.ranks[rank].chosen = static_cast<std::uint32_t>(i);
  }
  TUTTI_CHECK(best != nullptr, "wait_any chooses among completed requests");
}

void Waits::choose_completed(RankId rank) {
  RankState& state = job_.ranks[rank];
  choose_first(rank, any_of_.extract(rank).mapped());
  state.choice_scheduled = false;
  state.waiting = Waiting::no;
  job_.transport.wake(rank);
}

void Waits::end_any(RankId rank) {
  if (credits_ != nullptr)
    credits_->end_of_wait(rank, job_.transport.now(), job_.ranks[rank].clock_s);
}

std::int64_t Waits::chosen_message(RankId rank, std::span<const Request> requests) const {
  const RequestRecord& first = job_.requests[requests[chosen(rank)].index];
  return first.is_send ? 0 : job_.messages[first.message].serial;
}

// ---- for whichever complete ----

Waits::Watching& Waits::watching(RankId rank) {
  if (watching_.empty()) watching_.resize(job_.ranks.size());
  return watching_[rank];
}

void Waits::watch(Request request, DoneRequests& into) {
  job_.require_time();
  RequestRecord& watched = record(request);
  TUTTI_CHECK(!watched.waited && !watched.watched, "a request is watched and waited for");
  watched.watched = true;
  watching(watched.owner).into = &into;
  if (watched.done) add_completion(request.index);
}

void Waits::add_completion(std::uint32_t index) {
  const RequestRecord& request = job_.requests[index];
  watching_[request.owner].into->push_back({.time_s = job_.timed ? request.time_s : 0,
                                            .request = {index, request.generation},
                                            .offset = request.data.offset});
  if (job_.ranks[request.owner].waiting == Waiting::for_watched)
    schedule_look(request.owner, after_ties(request.time_s));
}

// Schedules a wake-up unless an earlier one is scheduled.
void Waits::schedule_look(RankId rank, Seconds date_s) {
  date_s = std::max(date_s, job_.transport.now());
  if (watching_[rank].look_s <= date_s) return;
  watching_[rank].look_s = date_s;
  job_.schedule(date_s, Event::Kind::look, rank);
}

bool Waits::start_look(RankId rank, DoneRequests& into, Seconds deadline_s) {
  job_.require_time();
  watching(rank).into = &into;
  job_.ranks[rank].waiting = Waiting::for_watched;
  if (!into.empty()) deadline_s = job_.transport.now();
  if (deadline_s < never) schedule_look(rank, deadline_s);
  return false;
}

void Waits::look(RankId rank) {
  Seconds& look_s = watching_[rank].look_s;
  // Engines may process events of a tie at the time of its first one.
  if (look_s <= after_ties(job_.transport.now())) look_s = never;
  RankState& state = job_.ranks[rank];
  if (state.waiting != Waiting::for_watched) return;
  state.waiting = Waiting::no;
  end_any(rank);
  job_.transport.wake(rank);
}

}  // namespace tutti::runtime
