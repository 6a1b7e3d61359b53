// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/circulant.hpp"

namespace tutti::algorithms::circulant {

namespace {

// The block that the root sends first to the part of the graph to which v belongs: the smallest
// skip in the sum of skips that is v, taken greedily; q for the root.
int base_block(const Graph& graph, std::int64_t v) {
  int base = graph.rounds();
  for (int k = graph.rounds() - 1; k >= 0 && v > 0; --k)
    if (v >= graph.skip(k)) {
      v -= graph.skip(k);
      base = k;
    }
  return base;
}

// Computes the received blocks: for k = 0 .. q-1 the rank from which the block comes, the one
// nearest below v - skip(k) that no earlier round has used, found by a depth-first search over
// decreasing sums of skips. Rank numbers are shifted by P, so that they do not wrap around.
class Search {
 public:
  Search(const Graph& graph, std::int64_t v)
      : graph_(graph), v_(graph.procs() + v), base_(base_block(graph, v)) {
    const int q = graph.rounds();
    for (int e = 0; e <= q; ++e) {
      next_.push_back(e - 1);
      previous_.push_back(e == q ? none : e + 1);
    }
    unlink(base_);
  }

  std::vector<int> blocks() {
    descend(0, graph_.rounds());
    for (int& block : blocks_) block = block == graph_.rounds() ? base_ : block - graph_.rounds();
    return blocks_;
  }

 private:
  static constexpr int none = -1;

  int round() const { return static_cast<int>(blocks_.size()); }
  bool is_done() const { return round() == graph_.rounds(); }
  std::int64_t nearest() const { return v_ - graph_.skip(round()); }
  std::int64_t farthest() const { return v_ - graph_.skip(round() + 1); }

  void unlink(int e) {
    if (previous_[e] != none) next_[previous_[e]] = next_[e];
    if (next_[e] != none) previous_[next_[e]] = previous_[e];
  }

  // Extends `sum` by skips up to e.
  void descend(std::int64_t sum, int e) {
    for (; e != none && !is_done(); e = next_[e]) {
      const std::int64_t extended = sum + graph_.skip(e);
      if (extended > nearest() || extended >= last_) continue;
      if (extended <= farthest()) descend(extended, e);
      if (is_done() || sum > farthest()) return;
      last_ = extended;
      blocks_.push_back(e);
      unlink(e);
    }
  }

  const Graph& graph_;
  std::int64_t v_;
  int base_;
  std::vector<int> next_;
  std::vector<int> previous_;
  std::int64_t last_ = std::numeric_limits<std::int64_t>::max();
  std::vector<int> blocks_;
};

}  // namespace

Schedule schedule_of(const Graph& graph, std::int64_t v) {
  Schedule schedule{.received = Search(graph, v).blocks(), .sent = {}};
  for (int k = 0; k < graph.rounds(); ++k) {
    const std::int64_t to = (v + graph.skip(k)) % graph.procs();
    schedule.sent.push_back(Search(graph, to).blocks()[k]);
  }
  return schedule;
}

std::shared_ptr<const Schedules> all_schedules(const Graph& graph) {
  thread_local std::weak_ptr<const Schedules> last;
  auto known = last.lock();
  if (known != nullptr && std::ssize(*known) == graph.procs()) return known;
  Schedules schedules;
  for (std::int64_t v = 0; v < graph.procs(); ++v)
    schedules.push_back({.received = Search(graph, v).blocks(), .sent = {}});
  for (std::int64_t v = 0; v < graph.procs(); ++v)
    for (int k = 0; k < graph.rounds(); ++k) {
      const auto to = static_cast<std::size_t>((v + graph.skip(k)) % graph.procs());
      schedules[static_cast<std::size_t>(v)].sent.push_back(
          schedules[to].received[static_cast<std::size_t>(k)]);
    }
  known = std::make_shared<const Schedules>(std::move(schedules));
  last = known;
  return known;
}

BlockRounds::BlockRounds(const Graph& graph, std::int64_t blocks, std::int64_t v)
    : BlockRounds(graph, blocks, v, schedule_of(graph, v)) {}

BlockRounds::BlockRounds(const Graph& graph, std::int64_t blocks, std::int64_t v, Schedule schedule)
    : graph_(graph),
      blocks_(blocks),
      v_(v),
      idle_((graph.rounds() - (blocks - 1) % graph.rounds()) % graph.rounds()),
      schedule_(std::move(schedule)) {}

std::optional<std::int64_t> BlockRounds::block(int scheduled, std::int64_t round) const {
  const std::int64_t block = scheduled + round - k(round) - idle_;
  if (block < 0) return std::nullopt;
  return std::min(block, blocks_ - 1);
}

std::optional<std::int64_t> BlockRounds::received(std::int64_t round) const {
  return v_ == 0 ? std::nullopt : block(schedule_.received[k(round)], round);
}

std::optional<std::int64_t> BlockRounds::sent(std::int64_t round) const {
  const bool is_to_root = (v_ + graph_.skip(k(round))) % graph_.procs() == 0;
  return is_to_root ? std::nullopt : block(schedule_.sent[k(round)], round);
}

namespace {

// `count` blocks of a rank from its i-th one.
Slice held_run(const RankBlocks& blocks, RankId rank, std::int64_t i, std::int64_t count,
               std::int32_t buffer) {
  return {blocks.cyclic_run_bytes(rank, i),
          blocks.cyclic_run_bytes((rank + i) % blocks.count(), count), buffer};
}

// Blocks that a rank sends in round k.
std::int64_t blocks_in(const Graph& graph, int k) { return graph.skip(k + 1) - graph.skip(k); }

}  // namespace

void turn_up(Rank& me, const RankBlocks& blocks, std::int32_t in_rank_order, std::int32_t held) {
  const Slice upper = blocks.run(me.id(), me.size() - me.id(), in_rank_order);
  const Slice lower = blocks.run(0, me.id(), in_rank_order);
  me.copy(Slice{0, upper.bytes, held}, upper);
  me.copy(Slice{upper.bytes, lower.bytes, held}, lower);
}

void turn_back(Rank& me, const RankBlocks& blocks, std::int32_t held, std::int32_t in_rank_order) {
  const Slice upper = blocks.run(me.id(), me.size() - me.id(), in_rank_order);
  const Slice lower = blocks.run(0, me.id(), in_rank_order);
  me.copy(upper, Slice{0, upper.bytes, held});
  me.copy(lower, Slice{upper.bytes, lower.bytes, held});
}

Task combine_rounds(Rank& me, RankBlocks blocks) {
  const Graph graph(me.size());
  me.allocate(blocks.total());
  me.allocate(blocks.total() / 2);
  turn_up(me, blocks, runtime::send_buffer, sums_buffer);
  for (int k = graph.rounds() - 1; k >= 0; --k) {
    const std::int64_t count = blocks_in(graph, k);
    const Slice kept = held_run(blocks, me.id(), 0, count, sums_buffer);
    const Slice arriving{.bytes = kept.bytes, .buffer = incoming_buffer};
    co_await me.sendrecv({.to = graph.above(me.id(), k),
                          .send = held_run(blocks, me.id(), graph.skip(k), count, sums_buffer),
                          .from = graph.below(me.id(), k),
                          .recv = arriving});
    me.combine(kept, arriving, Operand::left);
  }
}

Task collect_rounds(Rank& me, RankBlocks blocks, std::int32_t held) {
  const Graph graph(me.size());
  for (int k = 0; k < graph.rounds(); ++k) {
    const std::int64_t count = blocks_in(graph, k);
    co_await me.sendrecv({.to = graph.below(me.id(), k),
                          .send = held_run(blocks, me.id(), 0, count, held),
                          .from = graph.above(me.id(), k),
                          .recv = held_run(blocks, me.id(), graph.skip(k), count, held)});
  }
}

Seconds combine_rounds_cost(const RankBlocks& blocks, const models::MessageCost& cost) {
  const Graph graph(blocks.count());
  Seconds total_s = collect_rounds_cost(blocks, cost);
  for (int k = 0; k < graph.rounds(); ++k)
    total_s += cost.combine(blocks.longest_run(blocks_in(graph, k)));
  return total_s;
}

Seconds collect_rounds_cost(const RankBlocks& blocks, const models::MessageCost& cost) {
  const Graph graph(blocks.count());
  Seconds total_s = 0;
  for (int k = 0; k < graph.rounds(); ++k)
    total_s += cost.exchange(blocks.longest_run(blocks_in(graph, k)));
  return total_s;
}

std::int64_t rounds_messages(const ModelArgs& args) {
  return std::int64_t{args.procs} * Graph(args.procs).rounds();
}

}  // namespace tutti::algorithms::circulant
