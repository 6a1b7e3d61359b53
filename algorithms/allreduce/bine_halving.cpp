// SPDX-License-Identifier: BSD-3-Clause
// Bine's allreduces by halving: in step s partners of a Bine butterfly exchange the halves of the
// part of the vector that both have, and combine them; then the steps run backwards as an
// allgather. Ranks are numbered such that halves are contiguous (algorithms/bine.hpp).
// bine_bdw_remap_segmented exchanges halves of the first part in segments, of which each is
// combined while the next one is on the way, and folds other P as recursive_doubling does.
// Derived, D = floor(log2 P): for s = 1 .. D exchange(m / 2^s) + combine(m / 2^s), for further
// segments next + combine each; then exchange(m / 2^s) for s = D .. 1; fold: 2 hop(m) + combine(m).

#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/bine.hpp"
#include "algorithms/vector_halving.hpp"

namespace tutti::algorithms {
namespace {

using bine::Numbering;

Fold folded_to_bine(RankId procs) { return {procs, Fold::Stays::odd}; }

// The number of VectorHalves, in which step s decides by bit s.
RankId halving_number(RankId rank, const Fold& fold) {
  const auto numbers = bine::Numbers::of(Numbering::remapped, fold.size());
  RankId mirror = 0;
  for (int bit = 0; bit < fold.steps(); ++bit)
    mirror |= (numbers->number(rank) >> bit & 1) << (fold.steps() - 1 - bit);
  return mirror;
}

// The segment of an exchange; an incoming one goes alternately into one of two buffers.
struct HalvingStep {
  RankId partner = 0;
  Slice sent;
  Slice kept;
  Bytes segment_bytes = 0;
  Bytes element_bytes = 1;

  Segments segments(const Slice& part) const {
    return cut_into_segments(part.bytes, segment_bytes, element_bytes);
  }
  Slice incoming(std::int64_t index) const {
    return {.bytes = segments(kept).bytes(index),
            .buffer = runtime::scratch_buffer + 1 + static_cast<std::int32_t>(index % 2)};
  }
};

// Both partners exchange as many segments as the longer half has.
Task exchange_halves(Rank& me, HalvingStep step) {
  const Segments to_send = step.segments(step.sent);
  const Segments to_keep = step.segments(step.kept);
  Request following = me.irecv({.from = step.partner, .data = step.incoming(0)});
  co_await me.send({.to = step.partner, .data = to_send.of(step.sent, 0)});
  for (std::int64_t s = 0; s < to_keep.count(); ++s) {
    const Request current = following;
    if (s + 1 < to_keep.count())
      following = me.irecv({.from = step.partner, .data = step.incoming(s + 1)});
    co_await me.wait(current);
    me.combine(to_keep.of(step.kept, s), step.incoming(s), Operand::left);
    if (s + 1 < to_send.count())
      co_await me.send({.to = step.partner, .data = to_send.of(step.sent, s + 1)});
  }
  for (std::int64_t s = to_keep.count() + 1; s < to_send.count(); ++s)
    co_await me.send({.to = step.partner, .data = to_send.of(step.sent, s)});
}

// Returns whether the rank stays in the fold.
Task fold_vector(Rank& me, const Fold& fold, Slice result, Slice mine) {
  if (!fold.stays(me.id())) {
    co_await me.send({.to = me.id() + 1, .data = mine});
    co_await me.recv({.from = me.id() + 1, .data = result});
    co_return;
  }
  if (!fold.in_pair(me.id())) {
    me.copy(result, mine);
    co_return;
  }
  co_await me.recv({.from = me.id() - 1, .data = result});
  me.combine(result, mine, Operand::left);
}

Task allreduce_bine_bdw_remap(Rank& me, CollectiveArgs args) {
  const Fold fold = folded_to_bine(me.size());
  const VectorHalves halves(args, runtime::recv_buffer);
  for (int buffer = 0; buffer < (args.segment_bytes > 0 ? 2 : 1); ++buffer)
    me.allocate(cut_into_segments(halves.upper_half().bytes, args.segment_bytes, args.element_bytes)
                    .longest_bytes());
  co_await fold_vector(me, fold, halves.whole(),
                       reduction::vector_in(runtime::send_buffer, args.message_bytes));
  if (!fold.stays(me.id())) co_return;
  const RankId rank = fold.number(me.id());
  const RankId v = halving_number(rank, fold);
  const auto partner_in = [&](int step) {
    return fold.rank(bine::partner(rank, step, fold.size()));
  };
  for (int step = 0; step < fold.steps(); ++step)
    co_await exchange_halves(me, {.partner = partner_in(step),
                                  .sent = halves.sent(v, step),
                                  .kept = halves.kept(v, step),
                                  .segment_bytes = args.segment_bytes,
                                  .element_bytes = args.element_bytes});
  for (int step = fold.steps() - 1; step >= 0; --step)
    co_await me.sendrecv({.to = partner_in(step),
                          .send = halves.kept(v, step),
                          .from = partner_in(step),
                          .recv = halves.sent(v, step)});
  if (fold.in_pair(me.id())) co_await me.send({.to = me.id() - 1, .data = halves.whole()});
}

Segments segments_of_half(const ModelArgs& args, Bytes bytes) {
  return cut_into_segments(bytes, args.call.segment_bytes, args.call.element_bytes);
}

Seconds allreduce_bine_bdw_remap_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Fold fold = folded_to_bine(args.procs);
  const VectorHalves halves(args.call, runtime::recv_buffer);
  const Bytes m = args.call.message_bytes;
  Seconds total_s = fold.pairs() > 0 ? 2 * cost.hop(m) + cost.combine(m) : 0;
  for (int step = 0; step < fold.steps(); ++step) {
    const Bytes half = halves.longest_bytes(step);
    const Segments segments = segments_of_half(args, half);
    const Bytes bytes = segments.longest_bytes();
    total_s += cost.exchange(bytes) + cost.combine(bytes) + cost.exchange(half) +
               static_cast<double>(segments.count() - 1) * (cost.next(bytes) + cost.combine(bytes));
  }
  return total_s;
}

// Every number sends the part that it does not keep: in step s there are 2^(s+1) different parts,
// and P / 2^(s+1) numbers send each.
std::int64_t allreduce_bine_bdw_remap_messages(const ModelArgs& args) {
  const Fold fold = folded_to_bine(args.procs);
  const VectorHalves halves(args.call, runtime::recv_buffer);
  std::int64_t total = std::int64_t{2} * fold.pairs();
  for (int step = 0; step < fold.steps(); ++step) {
    const RankId parts = RankId{1} << (step + 1);
    total += fold.size();  // of the allgather
    if (args.call.segment_bytes == 0) {
      total += fold.size();
      continue;
    }
    std::int64_t of_parts = 0;
    for (RankId part = 0; part < parts; ++part)
      of_parts += segments_of_half(args, halves.kept(part, step).bytes).count();
    total += of_parts * (fold.size() / parts);
  }
  return total;
}

}  // namespace

const Algorithm allreduce::bine_bdw_remap =
    bine::published(bine::commutative_power_of_two, reduction::program<allreduce_bine_bdw_remap>,
                    reduction::cost<allreduce_bine_bdw_remap_cost>,
                    reduction::messages<allreduce_bine_bdw_remap_messages>);

const Algorithm allreduce::bine_bdw_remap_segmented{
    .segmented = true,
    .restriction = reduction::needs_commutative,
    .program = reduction::program<allreduce_bine_bdw_remap>,
    .cost = reduction::cost<allreduce_bine_bdw_remap_cost>,
    .messages = reduction::messages<allreduce_bine_bdw_remap_messages>,
    .runs = reduction::is_commutative,
};

}  // namespace tutti::algorithms
