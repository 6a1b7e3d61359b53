// SPDX-License-Identifier: BSD-3-Clause
// How often a call is measured: the NREP problem (Hunold, Carpen-Amarie, "Autotuning MPI
// Collectives using Performance Guidelines", HPC Asia 2018, Figure 3). Small messages need many
// repetitions; the time that these take is spent on larger ones too.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "sim/base/result.hpp"
#include "sim/base/units.hpp"

namespace tutti::studies::guidelines {

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

}  // namespace tutti::studies::guidelines
