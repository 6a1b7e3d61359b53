// SPDX-License-Identifier: BSD-3-Clause
// Selects the cycles to simulate. Two methods are sound (assuming a steady state because times
// repeat is not):
//   repeated  runs of cycles in which every message is the same and every file access goes to the
//             same targets. The first cycles of each run are simulated; if all aggregators then
//             take the same time from cycle to cycle, the others follow exactly.
//   sampled   three to six windows of cycles: the first and the last ones of the job, and some in
//             between. extrapolation.hpp estimates the time of all cycles and its error.
// Neither is sound if messages are eager and thus leave before their receivers wait for them: they
// run ahead of their cycles, all at once, and the omitted ones would have affected the others.
#pragma once

#include "io_models/redistribution.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// The cycles in which some aggregator receives data. A file with holes may have millions of others,
// which take no time and are never visited one by one.
class CyclesWithData {
 public:
  explicit CyclesWithData(const Redistribution& redistribution);
  std::int64_t count() const { return count_; }
  // The cycle at a position among them.
  std::int64_t at(std::int64_t place) const;

 private:
  struct Stretch {
    std::int64_t first = 0;  // first cycle
    std::int64_t end = 0;
    std::int64_t place = 0;  // position of the first cycle
  };
  void add(std::int64_t first, std::int64_t end);

  std::vector<Stretch> stretches_;
  std::int64_t count_ = 0;
};

enum class CycleMethod : std::uint8_t { all, repeated, sampled };

// A run of `count` cycles starting at position `first` among those with data; the first `simulated`
// of them are simulated.
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
  std::shared_ptr<const CyclesWithData> with_data{};  // null: all cycles have data

  std::vector<std::int64_t> cycles() const;
  // Whether all cycles have data.
  bool covers_all() const { return !with_data || with_data->count() == all_cycles; }
  // Number of simulated cycles, including cycles without data, which need no work, unless the
  // result is a sample.
  std::int64_t simulated_cycles() const;
};

struct CycleLimits {
  // Maximum number of messages of a full simulation: about 500 bytes each while in flight.
  std::int64_t most_messages = 17'000'000;
  // Maximum number of messages of a sample with more than three windows of two cycles.
  std::int64_t most_sampled = 1'000'000;
  // Maximum number of messages compared in the search for repeated cycles; the first ones decide
  // whether the search continues.
  std::int64_t most_compared = 50'000'000;
  std::int64_t first_compared = 1'000'000;
  // Accesses with offsets that differ by a multiple of this go to the same targets; 0: no storage.
  Bytes storage_period = 0;
  // Messages up to this size run ahead; below 0: none.
  Bytes runs_ahead_bytes = -1;
  // Cycles without data also take time, because ranks exchange sizes in each cycle.
  bool empty_ones_count = false;
};

CycleChoice all_cycles(const Redistribution& redistribution);
// All cycles with data.
CycleChoice all_with_data(const Redistribution& redistribution);

// Finds runs of equal cycles; method `all` if omitting cycles would save little.
CycleChoice repeated_cycles(const Redistribution& redistribution, const CycleLimits& limits);

// Selects windows of consecutive cycles among those with data; method `all` if all cycles have at
// most most_messages messages, or if there are no more cycles than in a sample. The runs are empty
// if no sample is possible: two cycles have more than most_messages, messages run ahead, or cycles
// without data take time.
CycleChoice sampled_cycles(const Redistribution& redistribution, const CycleLimits& limits);

// The same for a sequence of `count` calls with about `messages` messages each, whose numbers take
// the place of the cycles'.
CycleChoice chosen_calls(std::int64_t count, std::int64_t messages, const CycleLimits& limits);

// Number of messages of one cycle (above that of the largest sample: an estimate from the first
// aggregators), and an estimate for all cycles from a few of them.
std::int64_t messages_of_cycle(const Redistribution& redistribution, std::int64_t cycle);
std::int64_t estimated_messages(const Redistribution& redistribution);

}  // namespace tutti::io_models
