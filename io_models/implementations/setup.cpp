// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/implementations/setup.hpp"

#include <utility>
#include <vector>

#include "algorithms/counts.hpp"
#include "algorithms/selection/decided.hpp"

namespace tutti::io_models {

using algorithms::CollectiveArgs;
using runtime::Rank;
using runtime::Task;

namespace {

constexpr std::int32_t offsets_tag = 121;
constexpr std::int32_t lengths_tag = 122;
constexpr Bytes piece_bytes = 16;  // an address and a length

// Among all ranks that compute, with tags of its own.
Task call(Rank& me, const ShuffleJob& job, std::string_view collective,
          const CollectiveArgs& args) {
  const auto procs = static_cast<RankId>(job.number_of.size());
  runtime::Nested inner(me, {.group = runtime::Group(0, procs), .member = me.id()});
  co_await algorithms::selection::run_decided(collective, inner.rank(), args);
}

algorithms::Counts list_bytes(const ShuffleJob& job, int aggregator) {
  std::vector<Bytes> bytes(job.number_of.size());
  for (const Leg& leg : job.requests.of_aggregator(aggregator))
    bytes[leg.peer] = leg.amount * piece_bytes;
  return algorithms::Counts(bytes);
}

runtime::Slice list_of(Bytes bytes) { return {.bytes = bytes, .buffer = file_buffer + 1}; }

// Both lists, from the ranks to an aggregator.
void post_lists(Rank& me, const ShuffleJob& job, const ListEntries& entries,
                std::vector<runtime::Request>& requests) {
  const std::pair<std::int32_t, Bytes> lists[] = {{offsets_tag, entries.offset_bytes},
                                                  {lengths_tag, entries.length_bytes}};
  const std::int32_t number = job.number_of[me.id()];
  if (number != ShuffleJob::none)
    for (const Leg& leg : job.requests.of_aggregator(number))
      for (const auto& [tag, bytes] : lists)
        requests.push_back(me.irecv({leg.peer, tag, list_of(leg.amount * bytes)}));
  for (const Leg& leg : job.requests.of_rank(me.id()))
    for (const auto& [tag, bytes] : lists)
      requests.push_back(me.isend({job.aggregators[leg.peer], tag, list_of(leg.amount * bytes)}));
}

}  // namespace

Task agree_on_views(Rank& me, const ShuffleJob& job) {
  const auto aggregators = static_cast<Bytes>(job.aggregators.size());
  co_await call(me, job, "allreduce", {.message_bytes = 8, .element_bytes = 8});
  co_await call(me, job, "allreduce", {.message_bytes = 8, .element_bytes = 8});
  co_await call(me, job, "allreduce", {.message_bytes = 8 * aggregators, .element_bytes = 8});
  co_await call(me, job, "allgather", {.message_bytes = 4 * aggregators, .element_bytes = 4});
  for (int i = 0; i < static_cast<int>(job.aggregators.size()); ++i) {
    const algorithms::Counts lists = list_bytes(job, i);
    co_await call(me, job, "allgatherv",
                  {.message_bytes = lists.total() / static_cast<Bytes>(job.number_of.size()),
                   .element_bytes = piece_bytes,
                   .counts = &lists});
  }
}

Task agree_on_ranges(Rank& me, const ShuffleJob& job) {
  co_await call(me, job, "allgather", {.message_bytes = 8, .element_bytes = 8});
  co_await call(me, job, "allgather", {.message_bytes = 8, .element_bytes = 8});
  co_await call(me, job, "alltoall", {.message_bytes = 4, .element_bytes = 4});
  co_await call(me, job, "allreduce", {.message_bytes = 4, .element_bytes = 4});
}

Task exchange_sizes(Rank& me, const ShuffleJob& job) {
  co_await call(me, job, "alltoall", {.message_bytes = 4, .element_bytes = 4});
}

Task send_lists(Rank& me, const ShuffleJob& job, ListEntries entries) {
  std::vector<runtime::Request> requests;
  post_lists(me, job, entries, requests);
  co_await me.wait_all(requests);
}

Task read_by_cycles(Rank& me, const ShuffleJob& job) {
  if (job.with_setup) co_await agree_on_views(me, job);
  Shuffle shuffle(me, job);
  Shuffle::Requests requests;
  for (int step = shuffle.next_step(0); step < shuffle.steps();
       step = shuffle.next_step(step + 1)) {
    requests.clear();
    shuffle.post_receives(step, requests);
    co_await shuffle.access(step);
    const Seconds posted_s = me.now();
    shuffle.post_sends(step, requests);
    co_await me.wait_all(requests);
    shuffle.arrived(step, posted_s);
    shuffle.ended(step);
  }
  if (shuffle.steps() > 0) shuffle.ended();  // of an aggregator without data: after the set-up
}

}  // namespace tutti::io_models
