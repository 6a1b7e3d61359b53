// SPDX-License-Identifier: BSD-3-Clause
// ROMIO's two-phase I/O (ad_write_coll.c, ad_read_coll.c), and Open MPI's fcoll/two_phase, which is
// the same code: even domains of the accessed range, the whole buffer, no overlap. The lists of
// accessed pieces are sent first; every cycle begins with an exchange of its sizes. The two differ
// in the aggregators and in the width of a length in the lists.
#include "io_models/implementations/implementation.hpp"
#include "io_models/implementations/plan.hpp"

namespace tutti::io_models {
namespace {

using runtime::Rank;
using runtime::Task;

template <Bytes offset_bytes, Bytes length_bytes>
Task two_phase_access(Rank& me, const ShuffleJob& job) {
  const Seconds began_s = me.now();
  if (job.with_setup) co_await agree_on_ranges(me, job);
  co_await send_lists(me, job, {offset_bytes, length_bytes});
  add_setup(me, job, began_s);
  Shuffle shuffle(me, job);
  Shuffle::Requests requests;
  for (int step = 0; step < shuffle.steps(); ++step) {
    if (!job.writes) co_await shuffle.access_with_holes(step);
    const Seconds waits_s = me.now();
    if (job.with_setup) co_await exchange_sizes(me, job);
    requests.clear();
    shuffle.post_receives(step, requests);
    shuffle.post_sends(step, requests);
    co_await me.wait_all(requests);
    shuffle.arrived(step, waits_s);
    if (job.writes) co_await shuffle.access_with_holes(step);
    shuffle.ended(step);
  }
}

}  // namespace

const Implementation two_phase{
    .name = "two_phase",
    .summary = "Open MPI 4.1, fcoll/two_phase: ROMIO's algorithm, whole buffer, no overlap",
    .domains = DomainRule::even,
    .slices = Slices::of_requests,
    .placement = AggregatorPlacement::spread,
    .has_setup = true,
    .has_lists = true,
    .counts_idle_ranks = true,
    .write = two_phase_access<8, 4>,
    .read = two_phase_access<8, 4>,
};

const Implementation romio{
    .name = "romio",
    .summary = "ROMIO 3.2.1: even domains, one aggregator per node, whole buffer, no overlap",
    .domains = DomainRule::even,
    .slices = Slices::of_requests,
    .placement = AggregatorPlacement::nodes,
    .has_setup = true,
    .has_lists = true,
    .counts_idle_ranks = true,
    .write = two_phase_access<8, 8>,
    .read = two_phase_access<8, 8>,
};

// ad_lustre_wrcoll.c, ad_lustre_aggregate.c: stripes of the file in turn, one for each aggregator
// and cycle; offsets and lengths in one message (ad_aggregate.c). Reads of Lustre are those of
// `romio`.
const Implementation romio_lustre{
    .name = "romio_lustre",
    .summary = "ROMIO of MPICH 4 on Lustre: stripes round robin, one per cycle; writes only",
    .domains = DomainRule::round_robin,
    .slices = Slices::of_units,
    .placement = AggregatorPlacement::nodes,
    .has_setup = true,
    .has_lists = true,
    .write = two_phase_access<16, 0>,
    .read = nullptr,
};

}  // namespace tutti::io_models
