// SPDX-License-Identifier: BSD-3-Clause
// How each side of a check is measured: runs (calls of mpirun) of several repetitions, which differ
// by noise.
#pragma once

#include "algorithms/guidelines/mockup.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies::guidelines {

// How often a call is measured: the NREP problem (Hunold, Carpen-Amarie, "Autotuning MPI
// Collectives using Performance Guidelines", HPC Asia 2018, Figure 3). Small messages need many
// repetitions; the time that these take is spent on larger ones too.

// The paper's values, but those that it does not give: rse_of_batch, least, most.
struct NrepRule {
  double rse = 0.01;           // of 1-byte messages: below it they have settled
  double rse_of_batch = 0.05;  // of other messages: below it the first batch tells all
  int first_batch = 5;         // b1
  int second_batch = 5;        // b2
  int least = 5;               // K
  int most = 1000;             // what does not settle ends here
};

// The next latency of one run.
using NextLatency = std::function<Result<Seconds>()>;

// Standard deviation (of a sample) of the mean, as a part of the mean; none of fewer than two.
std::optional<double> relative_standard_error(std::span<const Seconds> latencies_s);

// Step 1, of one run.
struct Settling {
  Seconds time_s = 0;  // of all repetitions until the error is below the threshold
  int repetitions = 0;
  bool settled = false;  // false: `most` repetitions were not enough
};
Result<Settling> settle(const NextLatency& next, const NrepRule& rule);

// Step 2: the least latency of one or two batches.
Result<Seconds> expected_latency(const NextLatency& next, const NrepRule& rule);

// Step 3: as many as take `settling_s`, the longest of several runs. At least K; at most `most`,
// or K if that is more.
int repetitions_for(Seconds settling_s, Seconds expected_s, const NrepRule& rule);

struct Measuring {
  // What comes before a repetition. A dissemination barrier, as in the paper (Algorithm 1), lets
  // those go first that came last: a rank that ended late begins early and seems to take longer,
  // 3.5 us of 8.5 us in a gather of 1 byte by 32 processes. That belongs to the benchmark, not to
  // the collective. So by default clocks are perfect, and all ranks begin together.
  enum class Sync : unsigned char { window, barrier } sync = Sync::window;
  int runs = 1;
  std::optional<int> repetitions = 1;  // of a run; unset: as `nrep` estimates them
  NrepRule nrep = {};
};

using Latencies = std::vector<std::vector<Seconds>>;  // by run, repetition

// Simulates step 1 of NREP in this process; the longest of all runs. `point` is of 1 byte.
Result<Row> settle(const Point& point, const Measuring& measuring,
                   const platforms::Machine& machine);
Settling settling_in(const Row& row);

// Simulates all runs in this process. `settling_s` matters where repetitions are estimated.
Result<Row> measure(const Point& point, const Measuring& measuring, Seconds settling_s,
                    const platforms::Machine& machine);
Latencies latencies_in(const Row& row);
// Of each run.
std::vector<Seconds> medians_of(const Latencies& latencies_s);

// By collective, processes, and mock-up or (null) default.
using SettlingKey = std::tuple<std::string, int, const algorithms::guidelines::Mockup*>;
using Settlings = std::map<SettlingKey, Settling>;
// Of what cannot be run with 1 byte that of the default; 0: nothing is known.
Seconds settling_of(const Settlings& settlings, const SettlingKey& key);

}  // namespace tutti::studies::guidelines
