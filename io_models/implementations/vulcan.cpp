// SPDX-License-Identifier: BSD-3-Clause
// Open MPI 4.1, fcoll/vulcan (coll fcoll_vulcan_file_write_all.c): even domains, counted from byte
// 0 of the file; two half buffers. All ranks perform all cycles. A write overlaps with the shuffle
// of the next cycle if the file system writes asynchronously and there are more than two cycles;
// such writes have no data sieving. Reads: group_reads.cpp.
#include "io_models/implementations/implementation.hpp"
#include "io_models/implementations/plan.hpp"

namespace tutti::io_models {
namespace {

using runtime::Rank;
using runtime::Task;

Task vulcan_write(Rank& me, const ShuffleJob& job) {
  const Seconds began_s = me.now();
  if (job.with_setup) co_await agree_on_views(me, job);
  add_setup(me, job, began_s);
  Shuffle shuffle(me, job);
  Shuffle::Requests requests;
  const bool is_asynchronous = job.schedule->redistribution().cycles() > 2;
  for (int step = 0; step < shuffle.steps(); ++step) {
    if (step > 0 && is_asynchronous) shuffle.start_write(step - 1);
    if (step > 0 && !is_asynchronous) co_await shuffle.access_by_fbtl(step - 1);
    requests.clear();
    const Seconds posted_s = me.now();
    shuffle.post_in_turn(step, requests);
    co_await me.wait_all(requests);
    shuffle.arrived(step, posted_s);
    co_await shuffle.finish_write();
    shuffle.ended(step);
  }
  const int last = shuffle.steps() - 1;
  if (last >= 0 && is_asynchronous) co_await shuffle.access(last);
  if (last >= 0 && !is_asynchronous) co_await shuffle.access_by_fbtl(last);
  shuffle.ended();
}

}  // namespace

const Implementation vulcan{
    .name = "vulcan",
    .summary = "Open MPI 4.1, fcoll/vulcan: even domains, two half buffers",
    .domains = DomainRule::even_from_zero,
    .slices = Slices::of_data,
    .buffer_parts = 2,
    .placement = AggregatorPlacement::groups,
    .has_setup = true,
    .reads_by_groups = true,
    .counts_idle_ranks = true,
    .write = vulcan_write,
    .read = read_by_groups,
};

}  // namespace tutti::io_models
