// SPDX-License-Identifier: BSD-3-Clause
// Which of many cycles are simulated. Sound are two ways (a third, to take a steady state for
// granted because times repeat, is not):
//   repeated  runs of cycles in which every message is the same, and every access to the file goes
//             to the same targets: the first ones of each run are simulated, and if all aggregators
//             then take the same time from cycle to cycle, the others follow exactly
//   sampled   three to six windows of cycles: the first and the last ones of the job, and some
//             between; extrapolation.hpp estimates the time of all, and the error of that
// Neither is where messages are short enough to leave before anybody waits for them (eager): they
// run ahead of their cycles, all at once, and those that are left out would have disturbed the
// others.
#pragma once

#include "io_models/redistribution.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// The cycles in which some aggregator gets data. A file with holes may have millions of others,
// which take no time: those are never looked at one by one.
class CyclesWithData {
 public:
  explicit CyclesWithData(const Redistribution& redistribution);
  std::int64_t count() const { return count_; }
  // The cycle at a place among them.
  std::int64_t at(std::int64_t place) const;

 private:
  struct Stretch {
    std::int64_t first = 0;  // cycle
    std::int64_t end = 0;
    std::int64_t place = 0;  // of the first
  };
  void add(std::int64_t first, std::int64_t end);

  std::vector<Stretch> stretches_;
  std::int64_t count_ = 0;
};

enum class CycleMethod : std::uint8_t { all, repeated, sampled };

// `count` cycles, of which `simulated` are run, from the `first`-th with data on.
struct CycleRun {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t simulated = 0;

  std::int64_t omitted() const { return count - simulated; }
};

struct CycleChoice {
  CycleMethod method = CycleMethod::all;
  std::vector<CycleRun> runs;
  std::int64_t all_cycles = 0;
  std::shared_ptr<const CyclesWithData> with_data{};  // null: every cycle is one of them

  std::vector<std::int64_t> cycles() const;
  // No cycle is without data.
  bool covers_all() const { return !with_data || with_data->count() == all_cycles; }
  // With those that are simulated without any work, having no data; not if the rest is a guess.
  std::int64_t simulated_cycles() const;
};

struct CycleLimits {
  // Messages that are simulated in one go: about 500 bytes each while they are under way.
  std::int64_t most_messages = 17'000'000;
  // Of a sample, where it may have more than three windows of two cycles.
  std::int64_t most_sampled = 1'000'000;
  // Messages that are looked at for cycles that repeat; the first ones decide if it is worth it.
  std::int64_t most_compared = 50'000'000;
  std::int64_t first_compared = 1'000'000;
  // Accesses whose offsets differ by a multiple of this go to the same targets; 0: no storage.
  Bytes storage_period = 0;
  // Messages up to so many bytes run ahead; below 0: none does.
  Bytes runs_ahead_bytes = -1;
  // Cycles without data take time, too: ranks tell each other so.
  bool empty_ones_count = false;
};

CycleChoice all_cycles(const Redistribution& redistribution);

// Runs of equal cycles; method `all` where leaving out their rest saves nothing to speak of.
CycleChoice repeated_cycles(const Redistribution& redistribution, const CycleLimits& limits);

// Windows of consecutive cycles, of those with data; method `all` if at most most_messages are in
// all cycles, or no more cycles than a sample has. Empty runs: two cycles have more than
// most_messages, messages run ahead, or cycles without data count.
CycleChoice sampled_cycles(const Redistribution& redistribution, const CycleLimits& limits);

// Of one cycle, and about of all: from a few of them.
std::int64_t messages_of_cycle(const Redistribution& redistribution, std::int64_t cycle);
std::int64_t estimated_messages(const Redistribution& redistribution);

}  // namespace tutti::io_models
