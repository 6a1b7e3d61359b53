// SPDX-License-Identifier: BSD-3-Clause
// The mock-ups of MPI_Allgather, MPI_Alltoall, MPI_Bcast, MPI_Gather and MPI_Scatter.
#include "algorithms/guidelines/mockups.hpp"
#include "algorithms/guidelines/run_call.hpp"

namespace tutti::algorithms::guidelines {
namespace {

// MPI_Allgather: GL1 to GL4.

InnerCalls gather_bcast(const CollectiveArgs& args, int procs) {
  return {{{"gather", inner_args(args, args.message_bytes)},
           {"bcast", inner_args(args, procs * args.message_bytes)}}};
}
InnerCall1 alltoall(const CollectiveArgs& args, int /*procs*/) {
  return {{{"alltoall", inner_args(args, args.message_bytes)}}};
}
InnerCall1 or_allreduce(const CollectiveArgs& args, int procs) {
  return {{{"allreduce", or_args(args, procs * args.message_bytes)}}};
}
InnerCall1 allgatherv(const CollectiveArgs& args, int /*procs*/) {
  return {{{"allgatherv", inner_args(args, args.message_bytes)}}};
}

// Sends P copies of the own block, one to each peer.
Task run_alltoall(Rank& me, CollectiveArgs args) {
  const Bytes block = args.message_bytes;
  me.copy({{0, block, first_buffer}, block, me.size()}, {{0, block, send_buffer}, 0, me.size()});
  const auto calls = alltoall(args, me.size());
  co_await run_call(me, calls[0], {.send = {.buffer = first_buffer}});
}

// MPI_Bcast: GL9 and GL10.

InnerCall1 root_allgatherv(const CollectiveArgs& args, int procs) {
  return {with_counts({"allgatherv", inner_args(args, args.message_bytes / procs)},
                      counts_at_root(args, procs))};
}
InnerCalls scatter_allgather(const CollectiveArgs& args, int procs) {
  const CollectiveArgs block = inner_args(args, Padded(args, procs).block_bytes);
  return {{{"scatter", rooted_args(args, block.message_bytes)}, {"allgather", block}}};
}

// In-place: the root's vector is the whole result.
Task run_root_allgatherv(Rank& me, CollectiveArgs args) {
  const auto calls = root_allgatherv(args, me.size());
  co_await run_call(me, calls[0], {.send = {.buffer = recv_buffer}});
}

// The contents of the padding do not matter.
Task run_scatter_allgather(Rank& me, CollectiveArgs args) {
  const auto calls = scatter_allgather(args, me.size());
  const Slice given{0, args.message_bytes, recv_buffer};
  const Slice copied{0, args.message_bytes, first_buffer};
  const Slice vector{.buffer = first_buffer};
  const Slice block{.buffer = second_buffer};
  if (me.id() == args.root) me.copy(copied, given);
  co_await run_call(me, calls[0], {.send = vector, .recv = block});
  co_await run_call(me, calls[1], {.send = block, .recv = vector});
  if (me.id() != args.root) me.copy(given, copied);
}

// MPI_Gather: GL11 to GL13.

InnerCall1 allgather(const CollectiveArgs& args, int /*procs*/) {
  return {{{"allgather", inner_args(args, args.message_bytes)}}};
}
InnerCall1 gatherv(const CollectiveArgs& args, int /*procs*/) {
  return {{{"gatherv", rooted_args(args, args.message_bytes)}}};
}
InnerCall1 reduce(const CollectiveArgs& args, int procs) {
  CollectiveArgs reduced = or_args(args, procs * args.message_bytes);
  reduced.root = args.root;
  return {{{"reduce", reduced}}};
}

// MPI_Scatter (GL21, GL22) and MPI_Alltoall (GL8).

InnerCall1 alltoallv(const CollectiveArgs& args, int /*procs*/) {
  return {{{"alltoallv", inner_args(args, args.message_bytes)}}};
}
InnerCall1 bcast(const CollectiveArgs& args, int procs) {
  return {{{"bcast", rooted_args(args, procs * args.message_bytes)}}};
}
InnerCall1 scatterv(const CollectiveArgs& args, int /*procs*/) {
  return {{{"scatterv", rooted_args(args, args.message_bytes)}}};
}

Task run_bcast(Rank& me, CollectiveArgs args) {
  const auto calls = bcast(args, me.size());
  const std::int32_t blocks = me.id() == args.root ? send_buffer : first_buffer;
  co_await run_call(me, calls[0], {.recv = {.buffer = blocks}});
  const Bytes block = args.message_bytes;
  me.copy(Slice{0, block, recv_buffer}, Slice{me.id() * block, block, blocks});
}

}  // namespace

std::vector<Mockup> moving_mockups() {
  return {
      mockup<gather_bcast>({"GL1"}),
      mockup<alltoall>({"GL2", run_alltoall, message_of_each}),
      mockup<or_allreduce>({"GL3", run_on_own_block<or_allreduce>, message_of_each}),
      mockup<allgatherv>({"GL4", nullptr, count_vectors<2>}),
      mockup<root_allgatherv>({"GL9", run_root_allgatherv, count_vectors<2>}),
      mockup<scatter_allgather>({"GL10", run_scatter_allgather, padded_memory}),
      mockup<allgather>({"GL11", run_for_root<allgather>, message_of_each}),
      mockup<gatherv>({"GL12", nullptr, count_vectors<2>}),
      mockup<reduce>({"GL13", run_on_own_block<reduce>, message_of_each}),
      mockup<alltoallv>({"GL8", nullptr, count_vectors<2>}),
      mockup<bcast>({"GL21", run_bcast, message_of_each}),
      mockup<scatterv>({"GL22", nullptr, count_vectors<2>}),
  };
}

}  // namespace tutti::algorithms::guidelines
