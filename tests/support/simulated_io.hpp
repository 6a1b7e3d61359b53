// SPDX-License-Identifier: BSD-3-Clause
// Collective I/O on the test machine, one process per node.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io_models/cycle_choice.hpp"
#include "io_models/extrapolation.hpp"
#include "io_models/implementations/plan.hpp"
#include "sim/engines/flow/flow_engine.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/test_machine.hpp"

namespace tutti::tests {

struct Simulated {
  std::vector<io_models::AggregatorTimes> times;
  Seconds end_s = 0;
  std::optional<io_models::IoTimes> reported;  // of all cycles
};

// The cycles of `choice` on test_machine by the generic implementation, or by vulcan if the plan
// reads by groups.
inline Simulated simulate(const io_models::Plan& plan, const io_models::CycleChoice& choice,
                          bool writes, bool with_setup = false, Seconds event_window_s = 0) {
  const int procs = plan.redistribution().procs();
  const io_models::Schedule schedule(plan.redistribution(), choice.cycles());
  Simulated simulated;
  simulated.times.resize(plan.aggregators().size());
  io_models::ShuffleJob job = plan.job(schedule, {.writes = writes, .with_setup = with_setup});
  job.times = &simulated.times;
  job.dates_steps = true;
  const auto read =
      plan.redistribution().groups() != nullptr ? io_models::vulcan.read : io_models::generic.read;
  const auto machine = test_machine(procs);
  const auto placement = test_placement(procs);
  io_models::MessageTimes dates(job);
  const auto outcome = engines::run_flow(
      {.machine = machine,
       .placement = placement,
       .program =
           [&](runtime::Rank& me) { return (writes ? io_models::generic.write : read)(me, job); },
       .observers = {&dates},
       .event_window_s = event_window_s});
  REQUIRE(outcome.problems == std::vector<std::string>{});
  for (const Seconds end_s : outcome.end_s) simulated.end_s = std::max(simulated.end_s, end_s);
  simulated.reported = io_models::extrapolate({.choice = choice,
                                               .job = job,
                                               .dates = &dates,
                                               .end_s = simulated.end_s,
                                               .merges_events = event_window_s > 0});
  return simulated;
}

// The times reported for a job of which some cycles were simulated are those of all cycles.
inline void check_equal_times(const io_models::IoTimes& reported, const io_models::IoTimes& all) {
  CHECK(reported.end_s == exactly(all.end_s));
  for (std::size_t i = 0; i < all.spent.size(); ++i) {
    CHECK(reported.spent[i].end_s == exactly(all.spent[i].end_s));
    CHECK(std::abs(reported.spent[i].shuffle_s - all.spent[i].shuffle_s) <= 1e-9 * all.end_s);
  }
}

}  // namespace tutti::tests
