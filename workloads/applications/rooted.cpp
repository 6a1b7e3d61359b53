// SPDX-License-Identifier: BSD-3-Clause
// Not in the thesis: the load of `foo` grows with the rank, so the broadcast of rank 0 is early,
// its reduction waits, and the barrier is late everywhere.
#include "workloads/applications/application.hpp"

namespace tutti::workloads::applications {

runtime::Task rooted(TracedRank& me, SharedState& shared) {
  const Bytes bytes = shared.args.message_bytes;
  for (int i = 0; i < shared.args.iterations; ++i) {
    me.run(Region::foo, shared.load.of(me.id(), static_cast<std::size_t>(i)));
    co_await me.call({.name = "bcast", .bytes = bytes});
    me.run(Region::bar, shared.constant_s());
    co_await me.call({.name = "reduce", .bytes = bytes});
    co_await me.call({.name = "barrier"});
  }
}

}  // namespace tutti::workloads::applications
