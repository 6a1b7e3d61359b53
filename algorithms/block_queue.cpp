// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/block_queue.hpp"

#include "algorithms/trees.hpp"

namespace tutti::algorithms::mpich {

Segments chunks_of_bytes(const CollectiveArgs& args) {
  return {args.message_bytes, args.segment_bytes > 0 ? args.segment_bytes : args.message_bytes};
}

Segments chunks_of_elements(const CollectiveArgs& args) {
  const Bytes elements = (args.segment_bytes + args.element_bytes - 1) / args.element_bytes;
  return {args.message_bytes,
          args.segment_bytes > 0 ? elements * args.element_bytes : args.message_bytes};
}

BlockQueue::BlockQueue(Rank& me, const Segments& blocks, Slice vector, std::int64_t roots)
    : me_(me),
      blocks_(blocks),
      vector_(vector),
      slot_of_(static_cast<std::size_t>(roots * blocks.count()), -1) {}

Slice BlockQueue::place(const Slice& vectors, std::int64_t block) const {
  const std::int64_t root = block / blocks_.count();
  return blocks_.of(vectors.part(root * vectors.bytes, vectors.bytes), block % blocks_.count());
}

Task BlockQueue::complete(std::size_t slot) {
  Pending& pending = slots_[slot];
  if (!pending.request) co_return;
  co_await me_.wait(*pending.request);
  pending.request.reset();
  if (!pending.received) co_return;
  slot_of_[static_cast<std::size_t>(*pending.received)] = -1;
  if (pending.combines)
    me_.combine(place(vector_, *pending.received), place(incoming_, *pending.received),
                Operand::left);
}

Task BlockQueue::complete_block(std::int64_t block) {
  const int slot = slot_of_[static_cast<std::size_t>(block)];
  if (slot >= 0) co_await complete(static_cast<std::size_t>(slot));
}

// Waits for the oldest request if the queue is full.
Task BlockQueue::add(const Pending& pending) {
  slots_[head_] = pending;
  if (pending.received)
    slot_of_[static_cast<std::size_t>(*pending.received)] = static_cast<std::int8_t>(head_);
  head_ = (head_ + 1) % most;
  co_await complete(head_);
}

Task BlockQueue::send(std::int64_t block, RankId to) {
  co_await complete_block(block);
  co_await add({.request = me_.isend({.to = to, .data = place(vector_, block)})});
}

Task BlockQueue::receive(std::int64_t block, RankId from) {
  if (combines_) co_await complete_block(block);
  const Slice into = place(combines_ ? incoming_ : vector_, block);
  co_await add({.request = me_.irecv({.from = from, .data = into}),
                .received = block,
                .combines = combines_});
}

Task BlockQueue::finish() {
  for (std::size_t i = 0; i < most; ++i) co_await complete((head_ + i) % most);
}

Task run_down(Rank& me, BlockQueue& queue, RankId root, std::int64_t blocks) {
  const circulant::Graph graph(me.size());
  const circulant::BlockRounds rounds(graph, blocks, trees::shifted(trees::position_of(me, root)));
  for (std::int64_t round = rounds.begin(); round < rounds.end(); ++round) {
    if (const auto block = rounds.sent(round))
      co_await queue.send(*block, graph.above(me.id(), rounds.k(round)));
    if (const auto block = rounds.received(round))
      co_await queue.receive(*block, graph.below(me.id(), rounds.k(round)));
  }
}

Task run_up(Rank& me, BlockQueue& queue, RankId root, std::int64_t blocks) {
  const circulant::Graph graph(me.size());
  const circulant::BlockRounds rounds(graph, blocks, trees::shifted(trees::position_of(me, root)));
  for (std::int64_t round = rounds.end() - 1; round >= rounds.begin(); --round) {
    if (const auto block = rounds.received(round))
      co_await queue.send(*block, graph.below(me.id(), rounds.k(round)));
    if (const auto block = rounds.sent(round))
      co_await queue.receive(*block, graph.above(me.id(), rounds.k(round)));
  }
}

Seconds circ_graph_cost(const Segments& blocks, int procs, const models::MessageCost& cost) {
  const auto rounds = blocks.count() - 1 + circulant::Graph(procs).rounds();
  return static_cast<double>(rounds) * cost.exchange(blocks.longest_bytes());
}

Seconds circ_graph_reduce_cost(const Segments& blocks, int procs, const models::MessageCost& cost) {
  const auto rounds = blocks.count() - 1 + circulant::Graph(procs).rounds();
  return circ_graph_cost(blocks, procs, cost) +
         static_cast<double>(rounds) * cost.combine(blocks.longest_bytes());
}

}  // namespace tutti::algorithms::mpich
