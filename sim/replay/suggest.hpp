// SPDX-License-Identifier: BSD-3-Clause
// Finds the changes to a traced program that gain most: removes each imbalance in a replay, ranks
// the changes by their gain, and applies them one after the other while they gain time (the loop of
// Figure 4.4 in the SILAS thesis).
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/receive_order.hpp"
#include "sim/replay/replay.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// Exclusive times of a region that is not an MPI call, over the ranks that have it.
struct Imbalance {
  std::string region = {};      // its name, or that of computation without a region (frames.hpp)
  std::size_t ranks = 0;        // locations that have it
  std::uint64_t instances = 0;  // sum over all ranks
  bool is_regular = false;      // all these ranks have instances with the same numbers
  Ticks time = 0;               // sum over all ranks
  Ticks most = 0;               // maximum over ranks
  // Upper bound of the gain by balancing. Regular: maximum minus mean over ranks of the n-th
  // instances, summed over n; otherwise maximum minus mean of the ranks' sums.
  Ticks excess = 0;
  // The smaller of the sets of ranks above and below the mean of the ranks' sums, which causes the
  // imbalance (SILAS thesis, 3.4.2); if they are equally large, the one above, for which the others
  // wait. Empty if other ranks are slow in each instance, so that the sums are similar.
  std::vector<TraceRank> causing_ranks = {};
  bool are_above = false;

  // Slowest rank relative to the mean; 1 if all ranks have the same sum.
  double ratio() const {
    return time == 0
               ? 1
               : static_cast<double>(most) * static_cast<double>(ranks) / static_cast<double>(time);
  }
};

struct TraceImbalances {
  std::vector<Imbalance> regions;  // largest excess first
  Ticks outside = 0;               // computation outside all regions, sum over ranks
  std::uint64_t messages = 0;      // point-to-point
  std::uint64_t empty_messages = 0;
  // Time in calls that transfer empty messages, maximum over ranks: estimates the gain of cutting
  // them.
  Ticks empty_messages_time = 0;
};

// Reads the trace once. Memory: 24 bytes per instance of the rank that has most instances.
TraceImbalances imbalances(const workloads::traces::Trace& trace);

struct SuggestArgs {
  // Replays with the requested model; empty: recorded.
  Replayer replay = {};
  std::size_t most = 10;  // number of changes to simulate, the most promising ones
  double least = 0.001;   // smallest gain, as a fraction of the run time
  bool forces = false;    // also if too much of the time is in calls that are not modeled
  // Called after each replay with the number of completed replays.
  std::function<void(std::size_t)> reported = [](std::size_t) {};
};

// The result of a replay with a change.
struct Outcome {
  Ticks end = 0;
  Ticks blocked = 0;  // in calls, sum over ranks
};

struct Suggestion {
  Hypothesis change;       // one part
  std::string name;        // "balance foo"
  Imbalance of = {};       // if it is a balance
  std::uint64_t cuts = 0;  // number of messages, if it is a cut
  Ticks may_bring = 0;     // upper bound of the gain of a balance, estimate for a cut
  Outcome outcome = {};    // of this change alone
};

// A step adds one suggestion to the previous step, or several if none of them gains time alone,
// because each one hides behind another.
struct SuggestedStep {
  std::vector<std::size_t> suggestions;
  Outcome outcome;
};

// Upper bound of the number of replays.
constexpr std::size_t most_replays(std::size_t suggestions) {
  return 2 + suggestions * (suggestions + 3) / 2;
}

struct Suggestions {
  Outcome now;  // without a change
  Violations violations;
  Verdict verdict;
  TraceImbalances found;
  std::vector<Suggestion> suggestions;  // all that were simulated, largest gain first
  std::vector<SuggestedStep> steps;
  Hypothesis together;            // all steps combined
  std::size_t too_small = 0;      // regions whose imbalance is below `least`
  std::size_t not_simulated = 0;  // changes beyond `most`
  std::size_t replays = 0;
};

// Returns errors of the replays; an error if the time of calls that are not modeled exceeds
// Verdict::trust_fraction, unless forced.
Result<Suggestions> suggest_changes(const workloads::traces::Trace& trace, const SuggestArgs& args);

}  // namespace tutti::studies::replay
