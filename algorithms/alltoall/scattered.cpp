// SPDX-License-Identifier: BSD-3-Clause
// MPICH's scattered alltoall and alltoallv: a rank posts the receives and sends of a batch of peers
// at a time, those from rank + s and to rank - s for consecutive distances s, and waits for all of
// them before the next batch. Its own block, s = 0, is in the first batch. Empty blocks are not
// sent.
// Derived: the rank with the longest blocks sends a batch of n peers in hop + (n-1) next:
//   P <= 32: Hockney (P-1) (l + m/b), LogGP L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/personal_blocks.hpp"

namespace tutti::algorithms {

namespace {

constexpr int default_batch = 32;  // MPIR_CVAR_ALLTOALL_THROTTLE

std::int64_t batch_of(const CollectiveArgs& args) {
  return args.max_requests > 0 ? args.max_requests : default_batch;
}

Task exchange_in_batches(Rank& me, CollectiveArgs args) {
  const PersonalBlocks blocks(me, args);
  const std::int64_t procs = me.size();
  const std::int64_t batch = batch_of(args);
  std::vector<Request> requests;
  blocks.copy_own(me);
  for (std::int64_t first = 0; first < procs; first += batch) {
    const std::int64_t end = std::min(first + batch, procs);
    requests.clear();
    for (std::int64_t s = std::max<std::int64_t>(first, 1); s < end; ++s) {
      const auto from = static_cast<RankId>((me.id() + s) % procs);
      const Slice block = blocks.from(from);
      if (block.bytes > 0) requests.push_back(me.irecv({.from = from, .data = block}));
    }
    for (std::int64_t s = std::max<std::int64_t>(first, 1); s < end; ++s) {
      const auto to = static_cast<RankId>((me.id() + procs - s) % procs);
      const Slice block = blocks.to(to);
      if (block.bytes > 0) requests.push_back(me.isend({.to = to, .data = block}));
    }
    co_await me.wait_all(requests);
  }
}

Seconds batches_cost(const ModelArgs& args, Bytes m, const models::MessageCost& cost) {
  const std::int64_t procs = args.procs;
  const std::int64_t batch = batch_of(args.call);
  const auto time_of = [&](std::int64_t peers) {
    return peers == 0 ? 0 : cost.hop(m) + static_cast<double>(peers - 1) * cost.next(m);
  };
  const std::int64_t of_first = std::min(batch, procs) - 1;
  const std::int64_t others = procs - 1 - of_first;
  return time_of(of_first) + static_cast<double>(others / batch) * time_of(batch) +
         time_of(others % batch);
}

Seconds alltoall_scattered_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return batches_cost(args, args.call.message_bytes, cost);
}

Seconds alltoallv_scattered_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return batches_cost(args, RankBlocks::of_blocks(args.call, args.procs).longest(), cost);
}

std::int64_t alltoallv_scattered_messages(const ModelArgs& args) {
  return RankBlocks::of_blocks(args.call, args.procs).filled() * (args.procs - 1);
}

}  // namespace

const Algorithm alltoall::scattered{
    .limits_requests = true,
    .program = mpich::program<exchange_in_batches>,
    .cost = mpich::cost<alltoall_scattered_cost>,
    .messages = mpich::messages<one_per_pair>,
};

const Algorithm alltoallv::scattered{
    .limits_requests = true,
    .program = mpich::program<exchange_in_batches>,
    .cost = mpich::cost<alltoallv_scattered_cost>,
    .messages = mpich::messages<alltoallv_scattered_messages>,
};

}  // namespace tutti::algorithms
