// SPDX-License-Identifier: BSD-3-Clause
// LB-P2P (section 5.1.2, Figure 5.3): odd ranks compute longer in `foo` than even ones. The first
// message goes between two odd or two even ranks, which begin together; the second one from an odd
// to an even rank, which waits for it. Repeated 100 times. Groups of four ranks:
//
//   first    0 -> 2   1 -> 3
//   second   1 -> 0   3 -> 2
#include "workloads/applications/application.hpp"

namespace tutti::workloads::applications {
namespace {

runtime::Task two_messages(TracedRank& me, Bytes bytes) {
  const int member = me.id() % 4;
  const TracedRank::Message first{member < 2 ? me.id() + 2 : me.id() - 2, 1, bytes};
  const TracedRank::Message second{me.id() ^ 1, 2, bytes};
  if (member < 2)
    co_await me.send(first);
  else
    co_await me.recv(first);
  if (member % 2 == 1)
    co_await me.send(second);
  else
    co_await me.recv(second);
}

}  // namespace

runtime::Task lb_p2p(TracedRank& me, SharedState& shared) {
  for (int i = 0; i < shared.args.iterations; ++i) {
    me.run(Region::foo, shared.load.of(me.id(), static_cast<std::size_t>(i)));
    me.run(Region::bar, shared.constant_s());
    co_await two_messages(me, shared.args.message_bytes);
  }
}

}  // namespace tutti::workloads::applications
