// SPDX-License-Identifier: BSD-3-Clause
// Open MPI 4.1, fcoll/dynamic_gen2: static domains (units of the file system's stripe, round
// robin); two half buffers. The messages of a cycle are posted before the rank waits for and writes
// those of the previous cycle. Reads: group_reads.cpp.
#include "io_models/implementations/implementation.hpp"
#include "io_models/implementations/plan.hpp"

namespace tutti::io_models {
namespace {

using runtime::Rank;
using runtime::Task;

Task dynamic_gen2_write(Rank& me, const ShuffleJob& job) {
  const Seconds began_s = me.now();
  if (job.with_setup) co_await agree_on_views(me, job);
  add_setup(me, job, began_s);
  Shuffle shuffle(me, job);
  Shuffle::Requests previous;
  Shuffle::Requests current;
  for (int step = 0; step <= shuffle.steps(); ++step) {
    current.clear();
    if (step < shuffle.steps()) shuffle.post_in_turn(step, current);
    if (step > 0) {
      const Seconds waits_s = me.now();
      co_await me.wait_all(previous);
      shuffle.arrived(step - 1, waits_s);
      co_await shuffle.access_by_units(step - 1, job.schedule->redistribution().unit());
      shuffle.ended(step - 1);
    }
    previous.swap(current);
  }
}

}  // namespace

const Implementation dynamic_gen2{
    .name = "dynamic_gen2",
    .summary = "Open MPI 4.1, fcoll/dynamic_gen2: stripes round robin, two half buffers, overlap",
    .domains = DomainRule::round_robin,
    .slices = Slices::of_data,
    .buffer_parts = 2,
    .placement = AggregatorPlacement::spread,
    .has_setup = true,
    .reads_by_groups = true,
    .write = dynamic_gen2_write,
    .read = read_by_groups,
};

}  // namespace tutti::io_models
