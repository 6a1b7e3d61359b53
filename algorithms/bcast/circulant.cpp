// SPDX-License-Identifier: BSD-3-Clause
// Broadcast of n blocks (segments) over a circulant graph (circulant.hpp): in each of n-1+q rounds,
// q = ceil(log2 P), a rank receives a block and sends one that it received before. Optimal in
// rounds for every P. One segment: a binomial tree. Derived: (n-1+q) exchange of a segment.
#include "algorithms/circulant.hpp"

#include "algorithms/bcast/bcast.hpp"

namespace tutti::algorithms {
namespace {

Task bcast_circulant(Rank& me, CollectiveArgs args) {
  if (me.size() == 1) co_return;
  const circulant::Graph graph(me.size());
  const Segments segments = segments_of(args);
  const Slice message{.bytes = args.message_bytes};
  const circulant::BlockRounds rounds(graph, segments.count(),
                                      trees::shifted(trees::position_of(me, args.root)));
  for (std::int64_t round = rounds.begin(); round < rounds.end(); ++round) {
    std::vector<Request> requests;
    const RankId from = graph.below(me.id(), rounds.k(round));
    const RankId to = graph.above(me.id(), rounds.k(round));
    if (const auto block = rounds.received(round))
      requests.push_back(me.irecv({.from = from, .data = segments.of(message, *block)}));
    if (const auto block = rounds.sent(round))
      requests.push_back(me.isend({.to = to, .data = segments.of(message, *block)}));
    co_await me.wait_all(requests);
  }
}

Seconds bcast_circulant_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Segments segments = segments_of(args.call);
  const auto rounds = segments.count() - 1 + circulant::Graph(args.procs).rounds();
  return static_cast<double>(rounds) * cost.exchange(segments.longest_bytes());
}

std::int64_t bcast_circulant_messages(const ModelArgs& args) {
  return (args.procs - 1) * segments_of(args.call).count();
}

}  // namespace

const Algorithm bcast::circulant{
    .segmented = true,
    .default_segment = 131072,
    .program = bcast_circulant,
    .cost = bcast_circulant_cost,
    .messages = bcast_circulant_messages,
};

}  // namespace tutti::algorithms
