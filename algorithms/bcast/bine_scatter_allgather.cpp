// SPDX-License-Identifier: BSD-3-Clause
// Bandwidth-optimal Bine broadcasts: the message in P blocks goes down a Bine tree of increasing
// distances, in step s a rank sends its partner the P / 2^(s+1) blocks of the partner's subtree;
// then an allgather over the Bine butterfly runs backwards, in which a rank sends nothing to the
// one from which it received, and so receives nothing from the ones it sent to. Ranks are shifted
// by the root. bine_bdw_static posts the sends of the scatter and waits for them at its end,
// bine_bdw_remap sends one after the other.
// Derived, D = log2 P: hop(m / 2^s) for s = 1 .. D, then exchange(m / 2^s) for s = D .. 1.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bine.hpp"

namespace tutti::algorithms {
namespace {

using bine::Butterfly;
using bine::Distances;
using bine::Numbering;

enum class Sends : std::uint8_t { blocking, pending };

struct BineScatter {
  Butterfly butterfly;
  RankBlocks blocks;
  int received;  // the step in which the rank receives its blocks; -1 for the root

  Slice part(const Butterfly::Run& run) const {
    return bine::slice_of(blocks, run, runtime::recv_buffer);
  }
};

Task scatter_parts(Rank& me, const BineScatter& call, Sends sends) {
  std::vector<Request> pending;
  if (call.received >= 0)
    co_await me.recv({.from = call.butterfly.partner(call.received),
                      .data = call.part(call.butterfly.kept(call.received))});
  for (int step = call.received + 1; step < call.butterfly.steps(); ++step) {
    const runtime::SendArgs message{.to = call.butterfly.partner(step),
                                    .data = call.part(call.butterfly.sent(step))};
    if (sends == Sends::pending)
      pending.push_back(me.isend(message));
    else
      co_await me.send(message);
  }
  co_await me.wait_all(pending);
}

Task gather_parts_again(Rank& me, const BineScatter& call) {
  for (int step = call.butterfly.steps() - 1; step >= 0; --step) {
    const RankId partner = call.butterfly.partner(step);
    const Slice mine = call.part(call.butterfly.kept(step));
    const Slice theirs = call.part(call.butterfly.sent(step));
    if (call.received < step)
      co_await me.send({.to = partner, .data = mine});
    else if (call.received == step)
      co_await me.recv({.from = partner, .data = theirs});
    else
      co_await me.sendrecv({.to = partner, .send = mine, .from = partner, .recv = theirs});
  }
}

Task scatter_and_gather(Rank& me, CollectiveArgs args, Numbering numbering, Sends sends) {
  const trees::Position at = trees::position_of(me, args.root);
  const RankId v = trees::shifted(at);
  const BineScatter call{
      .butterfly = Butterfly(at, numbering),
      .blocks = RankBlocks::of_vector(args, me.size()),
      .received = v == 0 ? -1 : bine::receive_step(v, me.size(), Distances::doubling)};
  co_await scatter_parts(me, call, sends);
  co_await gather_parts_again(me, call);
}

Task bcast_bine_bdw_static(Rank& me, CollectiveArgs args) {
  return scatter_and_gather(me, args, Numbering::by_smallest, Sends::pending);
}

Task bcast_bine_bdw_remap(Rank& me, CollectiveArgs args) {
  return scatter_and_gather(me, args, Numbering::remapped, Sends::blocking);
}

Seconds bcast_bine_bdw_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RankBlocks blocks = RankBlocks::of_vector(args.call, args.procs);
  Seconds total_s = bine::gather_blocks_cost(blocks, cost);
  for (std::int64_t count = args.procs / 2; count > 0; count /= 2)
    total_s += cost.hop(blocks.longest_run(count));
  return total_s;
}

// P-1 in the scatter; in the allgather as many pairs send in one direction only.
std::int64_t bcast_bine_bdw_messages(const ModelArgs& args) {
  return bine::butterfly_messages(args);
}

bool has_table_and_elements(const ModelArgs& args) {
  return bine::has_table(args) &&
         (args.procs == 1 ||
          elements_in(args.call.message_bytes, args.call.element_bytes) >= args.procs);
}

}  // namespace

const Algorithm bcast::bine_bdw_static{
    .restriction = "a power-of-two P up to 256, at least one element per process",
    .program = bcast_bine_bdw_static,
    .cost = bcast_bine_bdw_cost,
    .messages = bcast_bine_bdw_messages,
    .runs = has_table_and_elements,
};

const Algorithm bcast::bine_bdw_remap = bine::published(
    bine::power_of_two, bcast_bine_bdw_remap, bcast_bine_bdw_cost, bcast_bine_bdw_messages);

}  // namespace tutti::algorithms
