// SPDX-License-Identifier: BSD-3-Clause
// How a call is measured: repetitions with a barrier before each, skewed arrival times of the
// ranks, and noise, as in ReproMPI (Hunold, Carpen-Amarie, IEEE TPDS 27(12), 2016).
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/count_messages.hpp"
#include "sim/runtime/types.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::workloads {

// How a public benchmark times a collective: what precedes a call, and which number it prints.
//   osu       OSU micro-benchmarks 5 to 7: a barrier before each call; the mean over the ranks
//   imb       Intel MPI Benchmarks 2021: one barrier, then calls without pause; the slowest rank
//   pico      HLC-Lab/pico: a barrier before each call; the slowest rank of a call; the median
//   reprompi  ReproMPI 1.1: a barrier before each call; the slowest rank of a call; the median
// The barriers are those of the library, chosen by Open MPI 4.1's rules; ReproMPI has its own
// dissemination barrier. Warm-up calls put the ranks into the state of the middle of a run.
struct Harness {
  enum class Barrier : unsigned char { library, dissemination };
  std::string_view name;
  Barrier barrier = Barrier::library;
  bool before_each_call = true;
  bool prints_mean = false;  // over the ranks; otherwise the slowest rank
  int warm_up = 1;           // number of untimed calls
  int calls = 1;             // number of calls timed together, without a barrier in between
};

std::span<const Harness> harnesses();
// The harness of this name; null if there is none.
const Harness* find_harness(std::string_view name);

// By how much each rank delays its arrival at the call: --skew.
struct SkewSpec {
  enum class Kind : std::uint8_t { none, uniform, exponential, file } kind = Kind::none;
  Seconds time_s = 0;      // uniform: the maximum; exponential: the mean
  std::uint64_t seed = 0;  // every repetition draws new delays
  std::string path = {};
  std::shared_ptr<const std::string> text = {};
  std::shared_ptr<const std::vector<Seconds>> of_rank =
      {};  // delays of the file; set by with_ranks
};

// Parses "none", "uniform:TIME[:SEED]", "exponential:TIME[:SEED]" or "file:PATH" (CSV
// rank,seconds).
Result<SkewSpec> parse_skew(std::string_view text);
std::string format_skew(const SkewSpec& spec);
// Reads the delays from the file's text for a job of `procs` processes.
Result<SkewSpec> with_ranks(SkewSpec spec, int procs);

// Parses "none", "multiplicative:FRACTION[:SEED]" (0.05 or 5%) or "additive:TIME[:SEED]".
Result<runtime::Noise> parse_noise(std::string_view text);
std::string format_noise(const runtime::Noise& noise);

struct Benchmark {
  int repetitions = 1;
  bool repetitions_are_given = false;
  SkewSpec skew = {};
  bool skew_is_given = false;  // also if it is none
  runtime::Noise noise = {};
  const Harness* harness = nullptr;  // null: only the call, or a barrier between repetitions
  // The library's barrier before a call of the harness; null: a dissemination barrier.
  std::shared_ptr<const CollectiveCall> barrier = {};

  // Whether a call leaves a state that changes the next one, such as full caches of servers.
  bool leaves_state = false;

  // Whether repetitions differ; otherwise one repetition is enough.
  bool varies() const {
    return noise.kind != runtime::Noise::Kind::none || skew.kind == SkewSpec::Kind::uniform ||
           skew.kind == SkewSpec::Kind::exponential || leaves_state;
  }
  // Whether the benchmark is one call of ranks that start at the same time.
  bool is_plain() const {
    return noise.kind == runtime::Noise::Kind::none && skew.kind == SkewSpec::Kind::none &&
           harness == nullptr && !(leaves_state && repetitions > 1);
  }
  bool prints_mean() const { return harness != nullptr && harness->prints_mean; }
  int repetitions_run() const { return varies() ? repetitions : 1; }
  // Number of calls and of barriers in the whole job.
  int calls_run() const;
  int barriers_run() const;
};

// Adds what a harness takes from the machine: the library's barrier, chosen by Open MPI 4.1's
// rules, and, if neither skew nor noise is given, the machine's arrival skew after barriers, with
// five repetitions unless their number is given.
Result<Benchmark> on_machine(Benchmark benchmark, const platforms::Machine& machine,
                             const platforms::PlacementRequest& placement);

// Number of messages of a measured job, including its barriers.
std::int64_t expected_messages(const CollectiveCall& call, const Benchmark& benchmark, int procs);
// Message counts of one call, derived from those of a measured job by removing the barriers, which
// all send the same messages.
runtime::MessageCounts counts_of_one_call(const runtime::MessageCounts& of_job,
                                          const Benchmark& benchmark,
                                          const platforms::Machine& machine,
                                          const platforms::Placement& placement);

// Collects the measurements of a running job. A rank's latency is the time from its own arrival,
// after its delay, to the end of its call.
class Measurement {
 public:
  Measurement() = default;
  Measurement(int procs, int repetitions)
      : latency_sum_s_(static_cast<std::size_t>(procs)),
        repetitions_(static_cast<std::size_t>(repetitions)) {}

  int procs() const { return static_cast<int>(latency_sum_s_.size()); }
  void add(runtime::RankId rank, int repetition, Seconds arrival_s, Seconds end_s);

  // Per repetition, the maximum latency over the ranks.
  std::vector<Seconds> latencies() const;
  // Per repetition, the time from the last arrival to the end.
  std::vector<Seconds> after_last_arrival() const;
  // Per rank, the mean latency over the repetitions.
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

// Runs one rank of a measured job. The job consists of ranks 0 to measurement.procs() - 1; before
// each of several repetitions they synchronize in a barrier. All arguments must outlive the task.
runtime::Task measure(runtime::Rank& me, const runtime::Program& call, const Benchmark& benchmark,
                      Measurement& measurement);
// The program that runs `measure` on every rank. `benchmark` and `measurement` must outlive the
// job.
runtime::Program benchmark_program(runtime::Program call, const Benchmark& benchmark,
                                   Measurement& measurement);

}  // namespace tutti::workloads
