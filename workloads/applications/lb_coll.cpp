// SPDX-License-Identifier: BSD-3-Clause
// LB-COLL (section 5.1.1, Figure 5.1): the load of `foo` grows with the rank, `bar` is balanced,
// and all ranks wait for the last one in MPI_Allreduce. Repeated 100 times.
#include "workloads/applications/application.hpp"

namespace tutti::workloads::applications {

runtime::Task lb_coll(TracedRank& me, SharedState& shared) {
  for (int i = 0; i < shared.args.iterations; ++i) {
    me.run(Region::foo, shared.load.of(me.id(), static_cast<std::size_t>(i)));
    me.run(Region::bar, shared.constant_s());
    co_await me.call({.name = "allreduce", .bytes = shared.args.message_bytes});
  }
}

}  // namespace tutti::workloads::applications
