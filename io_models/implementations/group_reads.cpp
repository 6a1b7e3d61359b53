// SPDX-License-Identifier: BSD-3-Clause
// Reads of Open MPI 4.1's vulcan and dynamic_gen2 (common/ompio/common_ompio_file_read_all.c),
// without file domains.
#include <functional>

#include "io_models/implementations/plan.hpp"

namespace tutti::io_models {

using runtime::Rank;
using runtime::Task;

namespace {

constexpr std::int32_t gather_tag = 117;
constexpr std::int32_t bcast_tag = 118;

// The ranks of a group and their aggregator.
struct ReadGroup {
  int number = 0;
  RankId aggregator = 0;
  const RankGroups& ranks;

  // Calls visit(rank) for all ranks but the aggregator.
  template <class Visit>
  void visit_others(Visit visit) const {
    for (RankId rank = ranks.begin(number); rank < ranks.end(number); ++rank)
      if (rank != aggregator) visit(rank);
  }
};

runtime::Slice group_list(Bytes bytes) { return {.bytes = bytes, .buffer = file_buffer + 1}; }

// One list: bytes_of(rank) go from each rank to the aggregator, unless they are 0, and all of them
// from the aggregator to each rank.
Task share_list(Rank& me, const ReadGroup& group, Bytes all_bytes,
                std::function<Bytes(RankId)> bytes_of) {
  if (me.id() != group.aggregator) {
    const Bytes own = bytes_of(me.id());
    if (own > 0) co_await me.send({group.aggregator, gather_tag, group_list(own)});
    co_await me.recv({group.aggregator, bcast_tag, group_list(all_bytes)});
    co_return;
  }
  std::vector<runtime::Request> requests;
  group.visit_others([&](RankId rank) {
    if (const Bytes bytes = bytes_of(rank); bytes > 0)
      requests.push_back(me.irecv({rank, gather_tag, group_list(bytes)}));
  });
  co_await me.wait_all(requests);
  requests.clear();
  group.visit_others([&](RankId rank) {
    requests.push_back(me.isend({rank, bcast_tag, group_list(all_bytes)}));
  });
  co_await me.wait_all(requests);
}

Task agree_in_group(Rank& me, const ShuffleJob& job) {
  constexpr Bytes length_bytes = 8;
  constexpr Bytes count_bytes = 4;
  constexpr Bytes piece_bytes = 16;
  const RankGroups& groups = *job.schedule->redistribution().groups();
  const int number = groups.of(me.id());
  const ReadGroup group{number, job.aggregators[number], groups};
  const Bytes ranks = groups.size(number);
  co_await share_list(me, group, ranks * length_bytes, [](RankId) { return length_bytes; });
  co_await share_list(me, group, ranks * count_bytes, [](RankId) { return count_bytes; });
  co_await share_list(me, group, job.requests_of_group[number] * piece_bytes, [&](RankId rank) {
    const auto own = job.requests.of_rank(rank);
    return own.empty() ? Bytes{0} : own.front().amount * piece_bytes;
  });
}

}  // namespace

Task read_by_groups(Rank& me, const ShuffleJob& job) {
  const Seconds began_s = me.now();
  if (job.with_setup) co_await agree_in_group(me, job);
  add_setup(me, job, began_s);
  Shuffle shuffle(me, job);
  Shuffle::Requests requests;
  for (int step = shuffle.next_step(0); step < shuffle.steps();
       step = shuffle.next_step(step + 1)) {
    co_await shuffle.access_by_fbtl(step);
    requests.clear();
    const Seconds posted_s = me.now();
    shuffle.post_sends(step, requests);
    shuffle.post_receives(step, requests);
    co_await me.wait_all(requests);
    shuffle.arrived(step, posted_s);
    shuffle.ended(step);
  }
  if (shuffle.steps() > 0) shuffle.ended();
}

}  // namespace tutti::io_models
