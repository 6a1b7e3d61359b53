// SPDX-License-Identifier: BSD-3-Clause
// The model of Jha's dissertation (section 5.1): in each cycle an aggregator fills its whole buffer
// with the ranks' messages and then writes it. There is no set-up. Ranks synchronize only through
// messages, so a rank without data in a cycle continues with its next one.
#include "io_models/implementations/implementation.hpp"
#include "io_models/implementations/plan.hpp"

namespace tutti::io_models {
namespace {

using runtime::Rank;
using runtime::Task;

Task generic_write(Rank& me, const ShuffleJob& job) {
  Shuffle shuffle(me, job);
  Shuffle::Requests requests;
  for (int step = shuffle.next_step(0); step < shuffle.steps();
       step = shuffle.next_step(step + 1)) {
    requests.clear();
    const Seconds posted_s = me.now();
    shuffle.post_receives(step, requests);
    shuffle.post_sends(step, requests);
    co_await me.wait_all(requests);
    shuffle.arrived(step, posted_s);
    co_await shuffle.access(step);
    shuffle.ended(step);
  }
}

}  // namespace

const Implementation generic{
    .name = "generic",
    .summary = "model of Jha's dissertation: whole buffer, no set-up, no overlap",
    .write = generic_write,
    .read = read_by_cycles,
};

}  // namespace tutti::io_models
