// SPDX-License-Identifier: BSD-3-Clause
// MPICH's circ_graph allgather (block_queue.hpp): the broadcasts of all ranks at once; in each
// round a rank sends one message, a segment of its block, for each root, and receives one. Derived,
// for n segments: (n-1+q) exchange, then next for the other messages, (P-1) n in all.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/block_queue.hpp"

namespace tutti::algorithms {
namespace {

Task allgather_circ_graph(Rank& me, CollectiveArgs args) {
  copy_own_block(me, RankBlocks::of_blocks(args, me.size()));
  if (me.size() == 1) co_return;
  const std::int64_t procs = me.size();
  const circulant::Graph graph(procs);
  const Segments segments = mpich::chunks_of_bytes(args);
  const auto schedules = circulant::all_schedules(graph);
  std::vector<circulant::BlockRounds> rounds;  // by root
  for (std::int64_t root = 0; root < procs; ++root) {
    const std::int64_t v = (me.id() + procs - root) % procs;
    rounds.emplace_back(graph, segments.count(), v, (*schedules)[static_cast<std::size_t>(v)]);
  }
  mpich::BlockQueue queue(me, segments, {.bytes = args.message_bytes}, procs);
  for (std::int64_t round = rounds[0].begin(); round < rounds[0].end(); ++round) {
    const RankId to = graph.above(me.id(), rounds[0].k(round));
    const RankId from = graph.below(me.id(), rounds[0].k(round));
    for (std::int64_t root = 0; root < procs; ++root) {
      const auto& own = rounds[static_cast<std::size_t>(root)];
      const std::int64_t first = root * segments.count();
      if (const auto block = own.sent(round)) co_await queue.send(first + *block, to);
      if (const auto block = own.received(round)) co_await queue.receive(first + *block, from);
    }
  }
  co_await queue.finish();
}

std::int64_t messages_of_rank(const ModelArgs& args) {
  return (args.procs - 1) * mpich::chunks_of_bytes(args.call).count();
}

Seconds allgather_circ_graph_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Segments segments = mpich::chunks_of_bytes(args.call);
  const std::int64_t rounds = segments.count() - 1 + circulant::Graph(args.procs).rounds();
  return mpich::circ_graph_cost(segments, args.procs, cost) +
         static_cast<double>(messages_of_rank(args) - rounds) * cost.next(segments.longest_bytes());
}

std::int64_t allgather_circ_graph_messages(const ModelArgs& args) {
  return args.procs * messages_of_rank(args);
}

}  // namespace

const Algorithm allgather::circ_graph{
    .segmented = true,
    .default_segment = mpich::default_chunk,
    .program = mpich::program<allgather_circ_graph>,
    .cost = mpich::cost<allgather_circ_graph_cost>,
    .messages = mpich::messages<allgather_circ_graph_messages>,
};

}  // namespace tutti::algorithms
