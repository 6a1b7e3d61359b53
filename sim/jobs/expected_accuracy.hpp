// SPDX-License-Identifier: BSD-3-Clause
// The accuracy that a predicted time is expected to have, and how sure the order of two predicted
// times is.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/record.hpp"

namespace tutti::jobs {

struct PredictedCall {
  std::string_view collective;
  std::int64_t nodes = 1;
  std::int64_t ppn = 1;
  Bytes message_bytes = 0;
};

struct ExpectedAccuracy {
  // 90 % of the measured times are expected within this factor of the predicted one.
  double factor = 1;
  // "measured"; "extrapolated": the job is larger than those measured, or its collective was not
  // measured; "assumed": nothing was measured.
  std::string_view basis;
};

// Returns the accuracy by the keys `accuracy/...` of the platform; unset if it has no factor for
// the collective.
std::optional<ExpectedAccuracy> expected_accuracy(const platforms::Machine& machine,
                                                  const PredictedCall& call);

// Returns the chance (0.5 to 1) that of two algorithms of the same call, whose predicted times have
// the ratio `time_ratio` (at least 1) and both the accuracy `factor` (above 1), the one with the
// shorter prediction takes less time. At most 0.98.
double chance_of_order(double time_ratio, double factor);

// Sets `slower_chance` of the records that have an interval and are not the fastest of their call.
void add_slower_chances(std::vector<Record>& records);

}  // namespace tutti::jobs
