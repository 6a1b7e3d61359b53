// SPDX-License-Identifier: BSD-3-Clause
// Waiting for requests: for all, for any, or for whichever complete.

#include "sim/base/common.hpp"
#include "sim/runtime/protocol_core.hpp"

namespace tutti::runtime {

void ProtocolCore::complete(std::uint32_t index, Seconds time_s) {
  RequestRecord& request = requests_[index];
  request.done = true;
  request.time_s = time_s;
  if (request.watched) return add_completion(index);
  if (!request.waited) return;
  RankState& owner = ranks_[request.owner];
  if (owner.waiting == Waiting::for_any) {
    schedule_choice(request.owner, time_s);
  } else if (--owner.missing == 0) {
    transport_.wake(request.owner);
  }
}

bool ProtocolCore::start_wait_all(RankId rank, std::span<const Request> requests) {
  if (pattern_ != nullptr) return true;
  RankState& state = ranks_[rank];
  state.missing = 0;
  for (const Request& each : requests) {
    RequestRecord& request = record(each);
    TUTTI_CHECK(request.owner == rank, "a rank waits for another rank's request");
    TUTTI_CHECK(!request.waited, "a request occurs twice in one wait");
    request.waited = !request.done;
    state.missing += !request.done;
  }
  state.waiting = state.missing > 0 ? Waiting::for_all : Waiting::no;
  return state.missing == 0;
}

void ProtocolCore::finish_wait_all(RankId rank, std::span<const Request> requests) {
  if (pattern_ != nullptr) return pattern_->wait(requests);
  const bool waited = std::exchange(ranks_[rank].waiting, Waiting::no) != Waiting::no;
  if (waited && credits_ != nullptr)
    credits_->end_of_wait(rank, transport_.now(), ranks_[rank].clock_s);
  for (Observer* observer : observers_) observer->on_wait(rank, requests, requests.size() > 1);
  if (requests.size() == 1) return finish(requests[0]);
  const auto earlier = [&](const Request& a, const Request& b) {
    return requests_[a.index].time_s < requests_[b.index].time_s;
  };
  in_order_.assign(requests.begin(), requests.end());
  if (!std::ranges::is_sorted(in_order_, earlier)) std::ranges::stable_sort(in_order_, earlier);
  for (const Request& each : in_order_) finish(each);
}

bool ProtocolCore::start_wait_any(RankId rank, std::span<const Request> requests) {
  TUTTI_CHECK(!requests.empty(), "wait_any needs at least one request");
  needs_time();
  RankState& state = ranks_[rank];
  state.waiting = Waiting::for_any;
  any_of_[rank] = requests;
  Seconds earliest_s = std::numeric_limits<double>::infinity();
  for (const Request& each : requests) {
    RequestRecord& request = record(each);
    TUTTI_CHECK(request.owner == rank, "a rank waits for another rank's request");
    TUTTI_CHECK(!request.waited, "a request occurs twice in one wait");
    request.waited = true;
    if (request.done) earliest_s = std::min(earliest_s, request.time_s);
  }
  if (earliest_s < std::numeric_limits<double>::infinity()) schedule_choice(rank, earliest_s);
  return false;
}

void ProtocolCore::schedule_choice(RankId rank, Seconds not_before_s) {
  RankState& state = ranks_[rank];
  if (state.choice_scheduled) return;
  state.choice_scheduled = true;
  transport_.at(after_ties(std::max(state.clock_s, not_before_s)),
                {Event::Kind::choose_completed, static_cast<std::uint32_t>(rank)});
}

void ProtocolCore::choose_first(RankId rank, std::span<const Request> requests) {
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
    ranks_[rank].chosen = static_cast<std::uint32_t>(i);
  }
  TUTTI_CHECK(best != nullptr, "wait_any chooses among completed requests");
}

void ProtocolCore::choose_completed(RankId rank) {
  RankState& state = ranks_[rank];
  choose_first(rank, any_of_.extract(rank).mapped());
  state.choice_scheduled = false;
  state.waiting = Waiting::no;
  transport_.wake(rank);
}

std::size_t ProtocolCore::finish_wait_any(RankId rank, std::span<const Request> requests) {
  const std::size_t chosen = ranks_[rank].chosen;
  end_wait_any(rank);
  for (Observer* observer : observers_) observer->on_wait(rank, {&requests[chosen], 1}, false);
  finish(requests[chosen]);
  return chosen;
}

void ProtocolCore::end_wait_any(RankId rank) {
  if (credits_ != nullptr) credits_->end_of_wait(rank, transport_.now(), ranks_[rank].clock_s);
}

std::int64_t ProtocolCore::message_of_first(RankId rank, std::span<const Request> requests) const {
  const RequestRecord& first = requests_[requests[ranks_[rank].chosen].index];
  return first.is_send ? 0 : messages_[first.message].serial;
}

// ---- for completed requests, whichever they are ----

void ProtocolCore::watch(Request request, DoneRequests& into) {
  needs_time();
  RequestRecord& watched = record(request);
  TUTTI_CHECK(!watched.waited && !watched.watched, "a request is watched and waited for");
  watched.watched = true;
  if (watching_.empty()) watching_.resize(ranks_.size());
  watching_[watched.owner].into = &into;
  if (watched.done) add_completion(request.index);
}

void ProtocolCore::add_completion(std::uint32_t index) {
  const RequestRecord& request = requests_[index];
  watching_[request.owner].into->push_back({.time_s = timed_ ? request.time_s : 0,
                                            .request = {index, request.generation},
                                            .offset = request.data.offset});
  if (ranks_[request.owner].waiting == Waiting::for_watched)
    schedule_look(request.owner, after_ties(request.time_s));
}

// Schedules a wake-up unless an earlier one is scheduled.
void ProtocolCore::schedule_look(RankId rank, Seconds date_s) {
  date_s = std::max(date_s, transport_.now());
  if (watching_[rank].look_s <= date_s) return;
  watching_[rank].look_s = date_s;
  transport_.at(date_s, {Event::Kind::look, static_cast<std::uint32_t>(rank)});
}

bool ProtocolCore::start_look(RankId rank, DoneRequests& at, Seconds deadline_s) {
  needs_time();
  if (watching_.empty()) watching_.resize(ranks_.size());
  watching_[rank].into = &at;
  ranks_[rank].waiting = Waiting::for_watched;
  if (!at.empty()) deadline_s = transport_.now();
  if (deadline_s < never) schedule_look(rank, deadline_s);
  return false;
}

void ProtocolCore::look(RankId rank) {
  Seconds& look_s = watching_[rank].look_s;
  // Engines may process events of a tie at the time of its first one.
  if (look_s <= after_ties(transport_.now())) look_s = never;
  RankState& state = ranks_[rank];
  if (state.waiting != Waiting::for_watched) return;
  state.waiting = Waiting::no;
  if (credits_ != nullptr) credits_->end_of_wait(rank, transport_.now(), state.clock_s);
  transport_.wake(rank);
}

void ProtocolCore::finish_watched(RankId rank, Request request) {
  needs_time();
  for (Observer* observer : observers_) observer->on_wait(rank, {&request, 1}, false);
  finish(request);
}

}  // namespace tutti::runtime
