// SPDX-License-Identifier: BSD-3-Clause
// Requests and the waits of ranks for them: for all, for the first, or for whichever complete.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/arrivals.hpp"
#include "sim/runtime/eager_credits.hpp"
#include "sim/runtime/job_state.hpp"

namespace tutti::runtime {

struct DoneRequest {
  Seconds time_s = 0;
  Request request;
  Bytes offset = 0;  // of the request's data
};
// The completed requests of a rank that processes them as they complete, in no particular order.
using DoneRequests = std::vector<DoneRequest>;

class Waits {
  using Waiting = RankState::Waiting;

 public:
  // `credits` is notified of the ends of waits; null: buffers are unlimited.
  Waits(JobState& job, EagerCredits* credits) : job_(job), credits_(credits) {}

  // Posts a new request at the owner's clock.
  Request add(RankId owner, RankId peer, std::int32_t tag, Slice data);
  // Checks that the request exists.
  RequestRecord& record(Request request) {
    RequestRecord& record = job_.requests[request.index];
    TUTTI_CHECK(record.in_use && record.generation == request.generation,
                "a request was waited for twice, or never created");
    return record;
  }
  // Frees a completed request, which has been charged.
  void free(Request request);
  // Completes the request at `time_s`, and wakes its rank if that ends its wait.
  void complete(std::uint32_t request, Seconds time_s);
  bool is_done(Request request) {
    job_.require_time();
    return record(request).done;
  }

  // Begins a wait for all requests. Returns true if they are complete; else wakes the rank when
  // they are.
  bool start_all(RankId rank, std::span<const Request> requests);
  // Ends the rank's wait for all requests.
  void end_all(RankId rank) {
    RankState& state = job_.ranks[rank];
    const bool waited = std::exchange(state.waiting, Waiting::no) != Waiting::no;
    if (waited && credits_ != nullptr)
      credits_->end_of_wait(rank, job_.transport.now(), state.clock_s);
  }
  // Returns complete requests in the order of their completion, valid until the next call.
  std::span<const Request> order_by_completion(std::span<const Request> requests);

  // Begins a wait for the first request to complete. Returns false, because the request is chosen
  // only when the engine's time has advanced far enough.
  bool start_any(RankId rank, std::span<const Request> requests);
  // Chooses among these requests, one of which is done.
  void choose_first(RankId rank, std::span<const Request> requests);
  // Handles the event choose_completed.
  void choose_completed(RankId rank);
  // Ends a wait of start_any. The caller charges the chosen request, unless it is one of several
  // programs of the rank (concurrent.hpp).
  void end_any(RankId rank);
  // Index of the chosen request among those that were waited for.
  std::size_t chosen(RankId rank) const { return job_.ranks[rank].chosen; }
  // The number of the message that the chosen request, a receive, has matched; 0 if it is a send.
  // To be called before the request is freed.
  std::int64_t chosen_message(RankId rank, std::span<const Request> requests) const;

  // Adds the request to `into` when it completes (at once if it is done); `into` belongs to the
  // request's rank and outlives it.
  void watch(Request request, DoneRequests& into);
  // Begins a wait that ends when a watched request has completed, or at `deadline_s`, perhaps
  // earlier. Returns false.
  bool start_look(RankId rank, DoneRequests& into, Seconds deadline_s);
  // Handles the event look.
  void look(RankId rank);

 private:
  struct Watching {
    DoneRequests* into = nullptr;
    Seconds look_s = never;  // the next scheduled wake-up
  };

  Watching& watching(RankId rank);
  void add_completion(std::uint32_t request);
  void schedule_choice(RankId rank, Seconds not_before_s);
  void schedule_look(RankId rank, Seconds date_s);

  JobState& job_;
  EagerCredits* credits_;
  std::unordered_map<RankId, std::span<const Request>> any_of_;  // of ranks in start_any
  std::vector<Watching> watching_;                               // by rank; empty before the first
  std::vector<Request> in_order_;                                // result of order_by_completion
};

}  // namespace tutti::runtime
