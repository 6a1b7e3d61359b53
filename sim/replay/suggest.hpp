// SPDX-License-Identifier: BSD-3-Clause
// What would be worth changing in a traced program: each imbalance removed in a replay, the changes
// ranked by what they bring, and applied one after the other as long as they bring something (the
// loop of figure 4.4 in the thesis of SILAS).
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/receive_order.hpp"
#include "sim/replay/replay.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// Exclusive times of a region that is no call of MPI, of the ranks that have it.
struct Imbalance {
  std::uint32_t region = 0;
  std::size_t ranks = 0;
  std::uint64_t instances = 0;  // of all ranks
  bool is_regular = false;      // each of these ranks has as many
  Ticks time = 0;               // of all ranks
  Ticks most = 0;               // of a rank
  // What balancing it can bring at most. Regular: what the slowest of each n-th instance takes
  // above their mean, summed up; else the slowest rank above the mean rank.
  Ticks excess = 0;

  // The slowest rank against the mean; 1: they take the same in sum.
  double ratio() const {
    return time == 0
               ? 1
               : static_cast<double>(most) * static_cast<double>(ranks) / static_cast<double>(time);
  }
};

struct TraceImbalances {
  std::vector<Imbalance> regions;  // the largest excess first
  Ticks outside = 0;               // all regions: what no hypothesis can name; of all ranks
  std::uint64_t messages = 0;      // sent point to point
  std::uint64_t empty_messages = 0;
  // In calls that transfer them, of the rank where that is most: about what their cut may bring.
  Ticks empty_messages_time = 0;
};

// One pass; memory: 24 bytes for each instance of the rank that has most of them.
TraceImbalances imbalances(const workloads::traces::Trace& trace);

struct SuggestArgs {
  // By the model that is wanted; empty: recorded.
  Replayer replay = {};
  std::size_t most = 10;  // changes that are simulated: those that may bring most
  double least = 0.001;   // of the end: less is no gain
  // After each replay: how many are done.
  std::function<void(std::size_t)> reported = [](std::size_t) {};
};

// What a change makes of the trace.
struct Outcome {
  Ticks end = 0;
  Ticks blocked = 0;  // in calls, over all ranks
};

struct Suggestion {
  Hypothesis change;       // one part
  std::string name;        // "balance foo"
  Imbalance of = {};       // of a balance
  std::uint64_t cuts = 0;  // messages, of a cut
  Ticks may_bring = 0;     // at most, of a balance; about, of a cut
  Outcome outcome = {};    // alone
};

// After the one before, these, too: one, or several where none of them brings anything alone, since
// each hides behind another.
struct SuggestedStep {
  std::vector<std::size_t> suggestions;
  Outcome outcome;
};

// There are no more replays.
constexpr std::size_t most_replays(std::size_t suggestions) {
  return 2 + suggestions * (suggestions + 3) / 2;
}

struct Suggestions {
  Outcome now;  // without a change
  Violations violations;
  TraceImbalances found;
  std::vector<Suggestion> suggestions;  // the largest gain first, all that were simulated
  std::vector<SuggestedStep> steps;
  Hypothesis together;            // all steps
  std::size_t too_small = 0;      // regions whose imbalance is below `least`
  std::size_t not_simulated = 0;  // changes beyond `most`
  std::size_t replays = 0;
};

// Errors: of the replay.
Result<Suggestions> suggest_changes(const workloads::traces::Trace& trace, const SuggestArgs& args);

}  // namespace tutti::studies::replay
