// SPDX-License-Identifier: BSD-3-Clause
// HAN's reduction. `han`: for each segment a low reduction by coll/tuned, then a nonblocking up
// reduction, at the same time as the low reduction of the next segment. `han_simple`: both
// reductions of the whole vector by coll/tuned. `han_reproducible`: coll/tuned's reduction of all
// ranks.
//   Derived: low(m_s) + (S-1) max(low(m_s), ireduce(m_s)) + ireduce(m_s) for S segments of m_s;
//   simple: low(m) + up(m)
#include "algorithms/han/levels.hpp"
#include "algorithms/han/nonblocking.hpp"

namespace tutti::algorithms::han {
namespace {

constexpr char reduce_word[] = "reduce";

LevelCall reduce_call(Bytes bytes, RankId root = 0) {
  return {.collective = "reduce", .message_bytes = bytes, .root = root};
}

ModelArgs up_reduction(const ModelArgs& args, Bytes bytes) {
  return up_model(args, reduce_call(bytes));
}

// A peer's buffer for the result of its node: the root's is the result, the others alternate
// between two segments.
Slice of_node(const Rank& me, const CollectiveArgs& args, const Segments& segments,
              std::int64_t s) {
  const Slice vector{.bytes = args.message_bytes};
  const Slice segment = segments.of(vector, s);
  if (me.id() == args.root) return segment;
  return {s % 2 * segments.longest_bytes(), segment.bytes, runtime::scratch_buffer};
}

Task reduce_low(Rank& me, CollectiveArgs args, Slice own, Slice result) {
  const Place at(me, args);
  Nested low(me, at.low({.recv = result, .send = own}));
  co_await run_low(low.rank(), args, reduce_call(own.bytes, at.low_root()));
}

Task reduce_up(Rank& me, CollectiveArgs args, Slice data) {
  const Place at(me, args);
  Up up(me, at, {.recv = data, .send = data});
  const LevelCall call = reduce_call(data.bytes, at.up_root());
  co_await ireduce(up.rank(), up_args(args, call, up.rank().size()), true);
}

// Programs on the buffers of a segment.
runtime::Program reduces_low(const CollectiveArgs& args, Bytes bytes) {
  return [args, bytes](Rank& rank) -> Task {
    co_await reduce_low(rank, args, reduction::vector_in(runtime::send_buffer, bytes),
                        reduction::vector_in(runtime::recv_buffer, bytes));
  };
}

runtime::Program reduces_up(const CollectiveArgs& args, Bytes bytes) {
  return [args, bytes](Rank& rank) -> Task {
    co_await reduce_up(rank, args, reduction::vector_in(runtime::recv_buffer, bytes));
  };
}

Task run_reduce(Rank& me, CollectiveArgs args) {
  const bool is_peer = Place(me, args).is_peer();
  const Segments segments = segments_of(args);
  const Slice mine = reduction::vector_in(runtime::send_buffer, args.message_bytes);
  if (is_peer && me.id() != args.root) me.allocate(2 * segments.longest_bytes());
  for (std::int64_t s = 0; s <= segments.count(); ++s) {
    std::vector<runtime::ConcurrentProgram> programs(2, {.program = no_program()});
    if (s > 0 && is_peer) {
      const Slice data = of_node(me, args, segments, s - 1);
      programs[0] = {.program = reduces_up(args, data.bytes), .binding = {.recv = data}};
    }
    if (s < segments.count()) {
      const Slice own = segments.of(mine, s);
      programs[1] = {.program = reduces_low(args, own.bytes),
                     .binding = {.recv = of_node(me, args, segments, s), .send = own}};
    }
    co_await runtime::run_concurrently(me, std::move(programs));
  }
}

Seconds reduce_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Segments segments = segments_of(args.call);
  const Bytes bytes = segments.longest_bytes();
  const Seconds low_s = low_cost(args, reduce_call(bytes), cost);
  const Seconds up_s = ireduce_cost(up_reduction(args, bytes), cost);
  return low_s + static_cast<double>(segments.count() - 1) * std::max(low_s, up_s) + up_s;
}

// Of a segment. The root among the nodes matters to a fold that drops it.
std::int64_t reduce_messages_of(const ModelArgs& args, Bytes bytes) {
  ModelArgs up = up_reduction(args, bytes);
  up.call.root = up_root_of(args);
  return low_messages(args, reduce_call(bytes, low_root_of(args))) + ireduce_messages(up);
}

std::int64_t reduce_messages(const ModelArgs& args) {
  const Segments segments = segments_of(args.call);
  const std::int64_t last = segments.count() - 1;
  std::int64_t total = reduce_messages_of(args, segments.bytes(last));
  if (last > 0) total += last * reduce_messages_of(args, segments.bytes(0));
  return total;
}

std::string reduce_made_of(const ModelArgs& args) {
  const Bytes bytes = segments_of(args.call).longest_bytes();
  return fmt::format("{}; up ireduce {}", low_name(args, reduce_call(bytes)),
                     ireduce_name(up_reduction(args, bytes)));
}

Task run_reduce_simple(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  const Slice mine = reduction::vector_in(runtime::send_buffer, args.message_bytes);
  const Slice node = reduction::vector_in(runtime::scratch_buffer, args.message_bytes);
  if (at.is_peer() && me.id() != args.root) me.allocate(args.message_bytes);
  co_await reduce_low(me, args, mine, node);
  if (!at.is_peer()) co_return;
  Up up(me, at, {.send = node});
  co_await run_up(up.rank(), args, reduce_call(args.message_bytes, at.up_root()));
}

std::vector<Step> simple_steps(const ModelArgs& args) {
  const Bytes bytes = args.call.message_bytes;
  return {{false, reduce_call(bytes, low_root_of(args))},
          {true, reduce_call(bytes, up_root_of(args))}};
}

bool reduce_runs(const ModelArgs& args) {
  return args.call.commutative && has_balanced_nodes(args);
}

constexpr Algorithm on_balanced_nodes_if_commutative(Algorithm algorithm) {
  algorithm = on_balanced_nodes(algorithm);
  algorithm.restriction =
      "several nodes with the same number of ranks > 1, a commutative operation";
  algorithm.runs = reduce_runs;
  return algorithm;
}

}  // namespace

const Algorithm reduce = on_balanced_nodes_if_commutative({
    .segmented = true,
    .default_segment = 65536,
    .program = reduction::program<run_reduce>,
    .cost = reduction::cost<reduce_cost>,
    .messages = reduction::messages<reduce_messages>,
    .made_of = reduction::made_of<reduce_made_of>,
});

const Algorithm reduce_simple = on_balanced_nodes_if_commutative({
    .program = reduction::program<run_reduce_simple>,
    .cost = reduction::cost<InSteps<simple_steps>::cost>,
    .messages = reduction::messages<InSteps<simple_steps>::messages>,
    .made_of = reduction::made_of<InSteps<simple_steps>::made_of>,
});

const Algorithm reduce_reproducible = reproducible<reduce_word>();

}  // namespace tutti::algorithms::han
