// SPDX-License-Identifier: BSD-3-Clause
// How a call is measured: repeated, with a barrier before each repetition, ranks that arrive at
// different times, and noise on what they do; as ReproMPI does (Hunold, Carpen-Amarie, IEEE TPDS
// 27(12), 2016).
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/count_messages.hpp"
#include "sim/runtime/types.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::workloads {

// How public benchmarks time a collective: what goes before a call, and which number they print.
//   osu       OSU micro-benchmarks 5 to 7: a barrier before each call; the mean over the ranks
//   imb       Intel MPI Benchmarks 2021: one barrier, then calls without pause; the slowest rank
//   pico      HLC-Lab/pico: a barrier before each call; the slowest rank of a call; the median
//   reprompi  ReproMPI 1.1: a barrier before each call; the slowest rank of a call; the median
// Barriers are the library's, by Open MPI 4.1's rules; ReproMPI's is its own, a dissemination.
// Calls that are not timed come first, so that the ranks begin as they do in the middle of a run.
struct Harness {
  enum class Barrier : unsigned char { library, dissemination };
  std::string_view name;
  Barrier barrier = Barrier::library;
  bool before_each_call = true;
  bool prints_mean = false;  // over the ranks; else the slowest rank
  int warm_up = 1;           // calls that are not timed
  int calls = 1;             // that are timed together, without a barrier between them
};

std::span<const Harness> harnesses();
// Null: there is none of that name.
const Harness* find_harness(std::string_view name);

// By how much a rank comes later to the call than it could: --skew.
struct SkewSpec {
  enum class Kind : std::uint8_t { none, uniform, exponential, file } kind = Kind::none;
  Seconds time_s = 0;      // uniform: the most; exponential: the mean
  std::uint64_t seed = 0;  // every repetition draws anew
  std::string path;
  std::shared_ptr<const std::string> text = {};
  std::shared_ptr<const std::vector<Seconds>> of_rank = {};  // what the file says, once read
};

// "none", "uniform:TIME[:SEED]", "exponential:TIME[:SEED]", "file:PATH" (CSV rank,seconds).
Result<SkewSpec> parse_skew(std::string_view text);
std::string format_skew(const SkewSpec& spec);
// Reads the file's text for a job of so many processes.
Result<SkewSpec> with_ranks(SkewSpec spec, int procs);

// "none", "multiplicative:PART[:SEED]" (0.05 or 5%), "additive:TIME[:SEED]".
Result<runtime::Noise> parse_noise(std::string_view text);
std::string format_noise(const runtime::Noise& noise);

struct Benchmark {
  int repetitions = 1;
  bool repetitions_are_given = false;
  SkewSpec skew = {};
  bool skew_is_given = false;  // even if it is none
  runtime::Noise noise = {};
  const Harness* harness = nullptr;  // null: the bare call, or a barrier between several
  // What ranks meet in before a call: of the harness' library. None: dissemination.
  std::shared_ptr<const CollectiveCall> barrier = {};

  // Repetitions that differ; else one tells all.
  bool varies() const {
    return noise.kind != runtime::Noise::Kind::none || skew.kind == SkewSpec::Kind::uniform ||
           skew.kind == SkewSpec::Kind::exponential;
  }
  // One call of ranks that start together.
  bool is_plain() const {
    return noise.kind == runtime::Noise::Kind::none && skew.kind == SkewSpec::Kind::none &&
           harness == nullptr;
  }
  bool prints_mean() const { return harness != nullptr && harness->prints_mean; }
  int repetitions_run() const { return varies() ? repetitions : 1; }
  // Of the whole job, and the barriers among them.
  int calls_run() const;
  int barriers_run() const;
};

// With what the machine adds for a harness: the barrier of its library, by Open MPI 4.1's rules,
// and the machine's skew of arrivals after barriers, where neither skew nor noise are given; in
// five repetitions, unless their number is.
Result<Benchmark> on_machine(Benchmark benchmark, const platforms::Machine& machine,
                             const platforms::PlacementRequest& placement);

// Of a measured job, its barriers included.
std::int64_t expected_messages(const CollectiveCall& call, const Benchmark& benchmark, int procs);
// Of what a measured job counted, the part of one call: without the barriers between calls, which
// all send the same.
runtime::MessageCounts counts_of_one_call(const runtime::MessageCounts& of_job,
                                          const Benchmark& benchmark,
                                          const platforms::Machine& machine,
                                          const platforms::Placement& placement);

// What a job measures while it runs. A rank's latency is the time from its own arrival, after its
// delay, to the end of its call.
class Measurement {
 public:
  Measurement(int procs, int repetitions)
      : latency_sum_s_(static_cast<std::size_t>(procs)),
        repetitions_(static_cast<std::size_t>(repetitions)) {}

  int procs() const { return static_cast<int>(latency_sum_s_.size()); }
  void add(runtime::RankId rank, int repetition, Seconds arrival_s, Seconds end_s);

  // Over the ranks, the largest latency of a repetition.
  std::vector<Seconds> latencies() const;
  // From the last arrival of a repetition to its end.
  std::vector<Seconds> after_last_arrival() const;
  // By rank, the mean over the repetitions.
  std::vector<Seconds> rank_means() const;

 private:
  struct Repetition {
    Seconds latency_s = 0;
    Seconds last_arrival_s = 0;
    Seconds end_s = 0;
  };
  std::vector<Seconds> latency_sum_s_;
  std::vector<Repetition> repetitions_;
};

// A rank's part in a measured job of the ranks from 0 on that `measurement` is of. Before each of
// several repetitions a barrier among them, by dissemination. All outlive the task.
runtime::Task measure(runtime::Rank& me, const runtime::Program& call, const Benchmark& benchmark,
                      Measurement& measurement);
// The same as a program. `call`, `benchmark` and `measurement` outlive the job.
runtime::Program benchmark_program(const CollectiveCall& call, const Benchmark& benchmark,
                                   Measurement& measurement);

}  // namespace tutti::workloads
