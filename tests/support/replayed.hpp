// SPDX-License-Identifier: BSD-3-Clause
// Synthetic traces prepared for replays.
#pragma once

#include "sim/replay/replay.hpp"
#include "tests/support/synthetic_traces.hpp"

namespace tutti::tests {

inline workloads::traces::Trace trace_of(const SyntheticTrace& of) {
  workloads::traces::Trace trace;
  trace.definitions = definitions_of(of);
  const auto events = events_of(of);
  trace.first = 1000;
  for (std::size_t rank = 0; rank < events.size(); ++rank) {
    trace.events.begin(static_cast<workloads::traces::TraceRank>(rank));
    for (auto event : events[rank]) {
      event.time -= trace.first;
      trace.events.append(event);
    }
  }
  trace.events.finish();
  return trace;
}

// Keeps the times of the events that remain.
struct KeptTimes : studies::replay::ReplaySink {
  using Ticks = workloads::traces::Ticks;
  explicit KeptTimes(std::size_t ranks) : times(ranks) {}
  void event(workloads::traces::TraceRank rank, Ticks time, bool kept) override {
    if (kept) times[rank].push_back(time);
  }
  std::vector<std::vector<Ticks>> times;
};

// The timing rule of the programs.
inline studies::replay::LogGP rule_of_programs() {
  studies::replay::LogGP costs{.L_s = 2e-6, .o_s = 1e-6, .G_s_per_B = 1e-9, .call_gap_s = 500e-9};
  costs.collective_s.fill(20e-6);
  return costs;
}

}  // namespace tutti::tests
