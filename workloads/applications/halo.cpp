// SPDX-License-Identifier: BSD-3-Clause
// Not in the thesis, whose simulator has no nonblocking calls: a ring in which each rank exchanges
// messages with both neighbors while it computes `bar`.
#include "workloads/applications/application.hpp"

namespace tutti::workloads::applications {

runtime::Task halo(TracedRank& me, SharedState& shared) {
  constexpr std::uint32_t to_right = 1, to_left = 2;  // tags
  const auto right = (me.id() + 1) % me.size();
  const auto left = (me.id() + me.size() - 1) % me.size();
  const Bytes bytes = shared.args.message_bytes;
  for (int i = 0; i < shared.args.iterations; ++i) {
    me.run(Region::foo, shared.load.of(me.id(), static_cast<std::size_t>(i)));
    me.irecv({left, to_right, bytes});
    me.irecv({right, to_left, bytes});
    me.isend({right, to_right, bytes});
    me.isend({left, to_left, bytes});
    me.run(Region::bar, shared.constant_s());
    co_await me.waitall();
  }
}

}  // namespace tutti::workloads::applications
