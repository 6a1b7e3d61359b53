// SPDX-License-Identifier: BSD-3-Clause
// Reduction over a circulant graph (circulant.hpp): the reduce-scatter of P parts of the vector,
// then a gather along the tree of the same distances: rank v sends the parts that it has to v -
// skip(k), where skip(k) is the smallest skip in the greedy sum that is v. Derived: the
// reduce-scatter, then for each round hop of skip(k+1) - skip(k) parts.
#include "algorithms/circulant.hpp"

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

// The run of parts that arrives in each round, and the round in which a rank sends its own run.
struct GatherRounds {
  std::vector<std::int64_t> received;  // by k; 0: none
  std::int64_t parts = 0;              // at the end
  int sent = 0;                        // q: at the root

  GatherRounds(const circulant::Graph& graph, std::int64_t v)
      : received(static_cast<std::size_t>(graph.rounds())),
        parts(graph.procs()),
        sent(graph.rounds()) {
    std::int64_t length = graph.procs();  // of the run to which v belongs, and that starts below it
    for (int k = graph.rounds() - 1; k >= 0; --k) {
      received[static_cast<std::size_t>(k)] = std::max<std::int64_t>(0, length - graph.skip(k));
      if (v < graph.skip(k)) {
        length = std::min(length, graph.skip(k));
        continue;
      }
      v -= graph.skip(k);
      length -= graph.skip(k);
      sent = k;
      parts = length;
    }
    for (int k = sent; k < graph.rounds(); ++k) received[static_cast<std::size_t>(k)] = 0;
  }
};

Task gather_on_graph(Rank& me, RankBlocks blocks, RankId root) {
  constexpr std::int32_t held = circulant::sums_buffer;
  const circulant::Graph graph(me.size());
  const GatherRounds rounds(graph, trees::shifted(trees::position_of(me, root)));
  for (int k = 0; k < rounds.sent; ++k) {
    const std::int64_t count = rounds.received[static_cast<std::size_t>(k)];
    if (count == 0) continue;
    const RankId from = graph.above(me.id(), k);
    co_await me.recv({.from = from,
                      .data = {blocks.cyclic_run_bytes(me.id(), graph.skip(k)),
                               blocks.cyclic_run_bytes(from, count), held}});
  }
  if (me.id() != root)
    co_await me.send({.to = graph.below(me.id(), rounds.sent),
                      .data = {0, blocks.cyclic_run_bytes(me.id(), rounds.parts), held}});
}

Task reduce_circulant(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_vector(args, me.size());
  co_await circulant::combine_rounds(me, blocks);
  co_await gather_on_graph(me, blocks, args.root);
  if (me.id() == args.root)
    circulant::turn_back(me, blocks, circulant::sums_buffer, runtime::recv_buffer);
}

Seconds reduce_circulant_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RankBlocks blocks = RankBlocks::of_vector(args.call, args.procs);
  const circulant::Graph graph(args.procs);
  Seconds total_s = circulant::combine_rounds_cost(blocks, cost);
  for (int k = 0; k < graph.rounds(); ++k)
    total_s += cost.hop(blocks.longest_run(graph.skip(k + 1) - graph.skip(k)));
  return total_s;
}

std::int64_t reduce_circulant_messages(const ModelArgs& args) {
  return circulant::rounds_messages(args) + args.procs - 1;
}

}  // namespace

const Algorithm reduce::circulant{
    .restriction = reduction::needs_commutative,
    .program = reduction::program<reduce_circulant>,
    .cost = reduction::cost<reduce_circulant_cost>,
    .messages = reduction::messages<reduce_circulant_messages>,
    .runs = reduction::is_commutative,
};

}  // namespace tutti::algorithms
