// SPDX-License-Identifier: BSD-3-Clause
// XNS (section 5.2.2): `ewdscatter2` and `ewdgather1` exchange a message with every other rank, of
// which most are empty, since the subdomain of a rank has few neighbors. `genbc` calls both once,
// the solver in each iteration before and after its computation. As in the thesis, MPI_Sendrecv is
// already split into MPI_Send and MPI_Recv; the optimized program (--cut-empty) skips both if the
// message is empty.
//
// The thesis does not state in which order a rank visits the others, only that a loop visits all.
// Here its k-th exchange sends to the k-th rank above it and receives from the k-th below it,
// modulo P. Blocks of k ranks alternately begin with the send or with the receive, so that even
// synchronous sends cannot deadlock. The payload shrinks with the distance d of the ranks in the
// ring: to 1/d.
#include "workloads/applications/application.hpp"

namespace tutti::workloads::applications {
namespace {

using runtime::RankId;

// The payload of a message to another rank of the ring.
class Payload {
 public:
  Payload(const ApplicationArgs& args, RankId ranks) : bytes_(args.message_bytes), ranks_(ranks) {
    constexpr double nearest = 4;
    const double neighbors = args.empty ? (1 - *args.empty) * (ranks - 1) : nearest;
    farthest_ = static_cast<RankId>(std::lround(neighbors / 2));
  }
  // To the rank `away` ranks above.
  Bytes at(RankId away) const {
    const RankId distance = std::min(away, ranks_ - away);
    return distance > farthest_ ? 0 : std::max<Bytes>(1, bytes_ / distance);
  }

 private:
  Bytes bytes_;
  RankId ranks_;
  RankId farthest_ = 0;
};

struct Exchange {
  Region region = Region::ewdgather1;
  std::uint32_t tag = 0;
};
runtime::Task shift(TracedRank& me, RankId away, TracedRank::Message message) {
  const bool sends_first = me.id() / away % 2 == 0;
  TracedRank::Message to = message, from = message;
  to.peer = (me.id() + away) % me.size();
  from.peer = (me.id() - away + me.size()) % me.size();
  if (sends_first) co_await me.send(to);
  co_await me.recv(from);
  if (!sends_first) co_await me.send(to);
}

runtime::Task exchange(TracedRank& me, const ApplicationArgs& args, Exchange what) {
  const Payload payload(args, me.size());
  me.enter(what.region);
  for (RankId away = 1; away < me.size(); ++away) {
    const Bytes bytes = payload.at(away);
    if (bytes == 0 && args.cuts_empty) continue;
    co_await shift(me, away, {.tag = what.tag, .bytes = bytes});
  }
  me.leave(what.region);
}

runtime::Task gather(TracedRank& me, const SharedState& shared) {
  return exchange(me, shared.args, {Region::ewdgather1, 1});
}
runtime::Task scatter(TracedRank& me, const SharedState& shared) {
  return exchange(me, shared.args, {Region::ewdscatter2, 2});
}

}  // namespace

runtime::Task xns(TracedRank& me, SharedState& shared) {
  me.enter(Region::genbc);
  co_await scatter(me, shared);
  co_await gather(me, shared);
  me.leave(Region::genbc);
  for (int i = 0; i < shared.args.iterations; ++i) {
    me.enter(Region::solve);
    co_await scatter(me, shared);
    me.run(Region::foo, shared.load.of(me.id(), static_cast<std::size_t>(i)));
    co_await gather(me, shared);
    co_await me.call({.name = "allreduce", .bytes = sizeof(double)});
    me.leave(Region::solve);
  }
}

}  // namespace tutti::workloads::applications
