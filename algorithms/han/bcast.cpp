// SPDX-License-Identifier: BSD-3-Clause
// HAN's broadcast. `han`: the up broadcast of the first segment by coll/tuned; then for each
// segment the nonblocking up broadcast of the next one starts, and the low broadcast of this one
// runs at the same time. `han_simple`: both broadcasts of the whole message by coll/tuned.
//   Derived: up(m_s) + (S-1) max(low(m_s), ibcast(m_s)) + low(m_s) for S segments of m_s
#include "algorithms/han/levels.hpp"
#include "algorithms/han/nonblocking.hpp"

namespace tutti::algorithms::han {
namespace {

Task bcast_up(Rank& me, CollectiveArgs args, Place at, Slice data) {
  Up up(me, at, {.recv = data});
  co_await run_up(up.rank(), args, {"bcast", data.bytes, nullptr, at.up_root()});
}

Task bcast_low(Rank& me, CollectiveArgs args, Place at, Slice data) {
  Nested low(me, at.low({.recv = data}));
  co_await run_low(low.rank(), args, {"bcast", data.bytes, nullptr, at.low_root()});
}

runtime::Program ibcast_up(const Place& at, const Slice& data) {
  return [at, data](Rank& rank) -> Task {
    Up up(rank, at, {.recv = data});
    co_await ibcast(up.rank(), at.up_root(), {.bytes = data.bytes});
  };
}

Task run_bcast(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  const Segments segments = segments_of(args);
  const Slice message{.bytes = args.message_bytes};
  if (at.is_peer()) co_await bcast_up(me, args, at, segments.of(message, 0));
  for (std::int64_t s = 0; s + 1 < segments.count(); ++s) {
    std::vector<runtime::Program> programs;
    programs.push_back(at.is_peer() ? ibcast_up(at, segments.of(message, s + 1)) : no_program());
    programs.push_back([args, at, data = segments.of(message, s)](Rank& rank) -> Task {
      co_await bcast_low(rank, args, at, data);
    });
    co_await runtime::run_concurrently(me, std::move(programs));
  }
  co_await bcast_low(me, args, at, segments.of(message, segments.count() - 1));
}

LevelCall bcast_call(Bytes bytes) { return {.collective = "bcast", .message_bytes = bytes}; }

Seconds bcast_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Segments segments = segments_of(args.call);
  const Bytes bytes = segments.longest_bytes();
  const Seconds low_s = low_cost(args, bcast_call(bytes), cost);
  const auto nodes = static_cast<int>(args.call.hierarchy->groups());
  return up_cost(args, bcast_call(bytes), cost) + low_s +
         static_cast<double>(segments.count() - 1) *
             std::max(low_s, ibcast_cost(nodes, bytes, cost));
}

std::int64_t bcast_messages(const ModelArgs& args) {
  const Segments segments = segments_of(args.call);
  const auto nodes = static_cast<int>(args.call.hierarchy->groups());
  std::int64_t total = up_messages(args, bcast_call(segments.bytes(0))) +
                       (segments.count() - 1) * ibcast_messages(nodes) +
                       low_messages(args, bcast_call(segments.bytes(segments.count() - 1)));
  if (segments.count() > 1)
    total += (segments.count() - 1) * low_messages(args, bcast_call(segments.bytes(0)));
  return total;
}

std::string bcast_made_of(const ModelArgs& args) {
  const Segments segments = segments_of(args.call);
  const LevelCall call = bcast_call(segments.longest_bytes());
  std::string text = up_name(args, call);
  if (segments.count() > 1)
    text += fmt::format(", then ibcast {}",
                        ibcast_name(static_cast<int>(args.call.hierarchy->groups())));
  return text + "; " + low_name(args, call);
}

Task run_bcast_simple(Rank& me, CollectiveArgs args) {
  args.segment_bytes = 0;
  return run_bcast(me, args);
}

}  // namespace

const Algorithm bcast = on_balanced_nodes({
    .segmented = true,
    .default_segment = 65536,
    .program = run_bcast,
    .cost = bcast_cost,
    .messages = bcast_messages,
    .made_of = bcast_made_of,
});

const Algorithm bcast_simple = on_balanced_nodes({
    .program = run_bcast_simple,
    .cost = bcast_cost,
    .messages = bcast_messages,
    .made_of = bcast_made_of,
});

}  // namespace tutti::algorithms::han
