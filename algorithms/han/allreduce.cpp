// SPDX-License-Identifier: BSD-3-Clause
// HAN's allreduce. `han` has four steps per segment: low reduction and low broadcast by coll/tuned,
// nonblocking up reduction and up broadcast. Iteration i runs the low reduction of segment i, the
// up reduction of i-1, the up broadcast of i-2 and the low broadcast of i-3, the up ones at the
// same time as the low ones. `han_simple`: low reduction, up allreduce and low broadcast of the
// whole vector by coll/tuned. `han_reproducible`: coll/tuned's allreduce of all ranks.
//   Derived, for S segments of m_s:
//     reduce + ireduce + ibcast + bcast + (S-1) max(reduce + bcast, ireduce + ibcast), of m_s
//   simple: the sum of the three steps
#include "algorithms/han/levels.hpp"
#include "algorithms/han/nonblocking.hpp"

namespace tutti::algorithms::han {
namespace {

constexpr char allreduce_word[] = "allreduce";

LevelCall call_of(std::string_view collective, Bytes bytes) {
  return {.collective = collective, .message_bytes = bytes};
}

ModelArgs up_step(const ModelArgs& args, Bytes bytes) {
  return up_model(args, call_of("reduce", bytes));
}

// The segments of a vector; `at` returns nothing outside of it.
class Pipeline {
 public:
  explicit Pipeline(const CollectiveArgs& args)
      : segments_(segments_of(args)), bytes_(args.message_bytes) {}
  std::int64_t iterations() const { return segments_.count() + 3; }
  std::optional<Slice> at(std::int64_t s) const {
    if (s < 0 || s >= segments_.count()) return std::nullopt;
    return segments_.of(Slice{.bytes = bytes_}, s);
  }

 private:
  Segments segments_;
  Bytes bytes_;
};

Task reduce_inside(Rank& me, CollectiveArgs args, Slice data) {
  Slice mine = data;
  mine.buffer = runtime::send_buffer;
  Nested low(me, Place(me, args).low({.recv = data, .send = mine}));
  co_await run_low(low.rank(), args, call_of("reduce", data.bytes));
}

Task broadcast_inside(Rank& me, CollectiveArgs args, Slice data) {
  Nested low(me, Place(me, args).low({.recv = data}));
  co_await run_low(low.rank(), args, call_of("bcast", data.bytes));
}

Task reduce_among(Rank& me, CollectiveArgs args, Slice data) {
  Up up(me, Place(me, args), {.recv = data, .send = data});
  const auto call = call_of("reduce", data.bytes);
  co_await ireduce(up.rank(), up_args(args, call, up.rank().size()), true);
}

runtime::Program broadcasts_among(const CollectiveArgs& args, const Slice& data) {
  return [args, data](Rank& rank) -> Task {
    const Place at(rank, args);
    Up up(rank, at, {.recv = data});
    co_await ibcast(up.rank(), at.up_root(), {.bytes = data.bytes});
  };
}

runtime::Program low_calls(const CollectiveArgs& args, std::optional<Slice> reduced,
                           std::optional<Slice> broadcast) {
  return [args, reduced, broadcast](Rank& rank) -> Task {
    if (reduced) co_await reduce_inside(rank, args, *reduced);
    if (broadcast) co_await broadcast_inside(rank, args, *broadcast);
  };
}

Task run_allreduce(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  const Pipeline pipeline(args);
  for (std::int64_t i = 0; i < pipeline.iterations(); ++i) {
    std::vector<runtime::Program> programs(3, no_program());
    if (const auto data = pipeline.at(i - 2); data && at.is_peer())
      programs[0] = broadcasts_among(args, *data);
    if (const auto data = pipeline.at(i - 1); data && at.is_peer())
      programs[1] = [args, data](Rank& rank) -> Task { co_await reduce_among(rank, args, *data); };
    programs[2] = low_calls(args, pipeline.at(i), pipeline.at(i - 3));
    co_await runtime::run_concurrently(me, std::move(programs));
  }
}

Seconds allreduce_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Segments segments = segments_of(args.call);
  const Bytes bytes = segments.longest_bytes();
  const ModelArgs up = up_step(args, bytes);
  const Seconds low_s = low_cost(args, call_of("reduce", bytes), cost) +
                        low_cost(args, call_of("bcast", bytes), cost);
  const Seconds up_s = ireduce_cost(up, cost) + ibcast_cost(up.procs, bytes, cost);
  return low_s + up_s + static_cast<double>(segments.count() - 1) * std::max(low_s, up_s);
}

std::int64_t allreduce_messages_of(const ModelArgs& args, Bytes bytes) {
  const ModelArgs up = up_step(args, bytes);
  return low_messages(args, call_of("reduce", bytes)) + ireduce_messages(up) +
         ibcast_messages(up.procs) + low_messages(args, call_of("bcast", bytes));
}

std::int64_t allreduce_messages(const ModelArgs& args) {
  const Segments segments = segments_of(args.call);
  const std::int64_t last = segments.count() - 1;
  std::int64_t total = allreduce_messages_of(args, segments.bytes(last));
  if (last > 0) total += last * allreduce_messages_of(args, segments.bytes(0));
  return total;
}

std::string allreduce_made_of(const ModelArgs& args) {
  const Bytes bytes = segments_of(args.call).longest_bytes();
  const ModelArgs up = up_step(args, bytes);
  return fmt::format("{} + {}; up ireduce {} + ibcast {}", low_name(args, call_of("reduce", bytes)),
                     low_name(args, call_of("bcast", bytes)).substr(4), ireduce_name(up),
                     ibcast_name(up.procs));
}

Task run_allreduce_simple(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  const Slice node = reduction::vector_in(runtime::scratch_buffer, args.message_bytes);
  {
    Nested low(me, at.low({.recv = node}));
    co_await run_low(low.rank(), args, call_of("reduce", args.message_bytes));
  }
  if (at.is_peer()) {
    Up up(me, at, {.send = node});
    co_await run_up(up.rank(), args, call_of("allreduce", args.message_bytes));
  }
  co_await broadcast_inside(me, args, {.bytes = args.message_bytes});
}

Seconds allreduce_simple_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes bytes = args.call.message_bytes;
  return low_cost(args, call_of("reduce", bytes), cost) +
         up_cost(args, call_of("allreduce", bytes), cost) +
         low_cost(args, call_of("bcast", bytes), cost);
}

std::int64_t allreduce_simple_messages(const ModelArgs& args) {
  const Bytes bytes = args.call.message_bytes;
  return low_messages(args, call_of("reduce", bytes)) +
         up_messages(args, call_of("allreduce", bytes)) +
         low_messages(args, call_of("bcast", bytes));
}

std::string allreduce_simple_made_of(const ModelArgs& args) {
  const Bytes bytes = args.call.message_bytes;
  return fmt::format("{} + {}; {}", low_name(args, call_of("reduce", bytes)),
                     low_name(args, call_of("bcast", bytes)).substr(4),
                     up_name(args, call_of("allreduce", bytes)));
}

bool allreduce_runs(const ModelArgs& args) { return args.call.commutative && has_nodes(args); }

constexpr Algorithm on_nodes_if_commutative(Algorithm algorithm) {
  algorithm = on_nodes(algorithm);
  algorithm.restriction = "several nodes with several ranks, a commutative operation";
  algorithm.runs = allreduce_runs;
  return algorithm;
}

}  // namespace

const Algorithm allreduce = on_nodes_if_commutative({
    .segmented = true,
    .default_segment = 65536,
    .program = reduction::program<run_allreduce>,
    .cost = reduction::cost<allreduce_cost>,
    .messages = reduction::messages<allreduce_messages>,
    .made_of = reduction::made_of<allreduce_made_of>,
});

const Algorithm allreduce_simple = on_nodes_if_commutative({
    .program = reduction::program<run_allreduce_simple>,
    .cost = reduction::cost<allreduce_simple_cost>,
    .messages = reduction::messages<allreduce_simple_messages>,
    .made_of = reduction::made_of<allreduce_simple_made_of>,
});

const Algorithm allreduce_reproducible = reproducible<allreduce_word>();

}  // namespace tutti::algorithms::han
