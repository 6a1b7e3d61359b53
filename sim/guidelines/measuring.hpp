// SPDX-License-Identifier: BSD-3-Clause
// How each side of a comparison is measured: several runs (calls of mpirun) of several repetitions,
// which differ by noise.
#pragma once

#include "algorithms/guidelines/mockup.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::studies::guidelines {

// The number of repetitions: the NREP problem (Hunold, Carpen-Amarie, "Autotuning MPI Collectives
// using Performance Guidelines", HPC Asia 2018, Figure 3). Small messages need many repetitions;
// larger ones are measured for the same time.

// Values are those of the paper, except rse_of_batch, least and most, which it does not specify.
struct NrepRule {
  double rse = 0.01;           // relative standard error below which 1-byte messages have settled
  double rse_of_batch = 0.05;  // for other messages: below it, the first batch suffices
  int first_batch = 5;         // b1
  int second_batch = 5;        // b2
  int least = 5;               // K
  int most = 1000;             // upper limit for messages that do not settle
};

// The next latency of one run.
using NextLatency = std::function<Result<Seconds>()>;

// Standard error of the mean (from the sample standard deviation) as a fraction of the mean;
// nothing for fewer than two values.
std::optional<double> relative_standard_error(std::span<const Seconds> latencies_s);

// Result of step 1 in one run.
struct Settling {
  Seconds time_s = 0;  // time of all repetitions until the error is below the threshold
  int repetitions = 0;
  bool settled = false;  // false: `most` repetitions were not enough
};
Result<Settling> settle(const NextLatency& next, const NrepRule& rule);

// Step 2: the lowest latency of one or two batches.
Result<Seconds> expected_latency(const NextLatency& next, const NrepRule& rule);

// Step 3: the number of repetitions that take `settling_s`, the longest settling time of several
// runs. At least K, at most max(most, K).
int repetitions_for(Seconds settling_s, Seconds expected_s, const NrepRule& rule);

struct Measuring {
  // Synchronization before a repetition. The rank that enters a dissemination barrier last, as used
  // in the paper (Algorithm 1), leaves it first: a rank that ended late begins early and appears to
  // take longer, by 3.5 us of 8.5 us in a gather of 1 byte by 32 processes. This is an artifact of
  // the benchmark, so by default clocks are perfect, and all ranks begin together.
  enum class Sync : unsigned char { window, barrier } sync = Sync::window;
  int runs = 1;
  std::optional<int> repetitions = 1;  // in a run; unset: estimated by `nrep`
  NrepRule nrep = {};
};

using Latencies = std::vector<std::vector<Seconds>>;  // by run, repetition

// Simulates step 1 of NREP in this process; returns the longest settling of all runs. `point` must
// have 1 byte.
Result<Row> settle(const Point& point, const Measuring& measuring,
                   const platforms::Machine& machine);
Settling settling_in(const Row& row);

// Simulates all runs in this process. `settling_s` is used only if repetitions are estimated.
Result<Row> measure(const Point& point, const Measuring& measuring, Seconds settling_s,
                    const platforms::Machine& machine);
Latencies latencies_in(const Row& row);
// The median of each run.
std::vector<Seconds> run_medians(const Latencies& latencies_s);

// Collective, number of processes, and mock-up (null: the default).
using SettlingKey = std::tuple<std::string, int, const algorithms::guidelines::Mockup*>;
using Settlings = std::map<SettlingKey, Settling>;
// The settling time; of the default for mock-ups that cannot run with 1 byte; 0 if unknown.
Seconds settling_time(const Settlings& settlings, const SettlingKey& key);

}  // namespace tutti::studies::guidelines
