// SPDX-License-Identifier: BSD-3-Clause
// Deviation of simulated from measured times, as parameters of a platform file.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

struct ComparedTime {
  std::string collective;
  Bytes message_bytes = 0;
  double simulated_over_measured = 1;
};

struct AccuracyParameter {
  std::string key;    // "accuracy/bcast"
  std::string value;  // sections of message sizes: "0:1.12;32KiB:1.3"
  std::int64_t rows = 0;
};

// For each collective and for all together: the factor that contains 90 % of the times, by ranges
// of message sizes with at least five times each.
std::vector<AccuracyParameter> accuracy_parameters(const std::vector<ComparedTime>& times);

}  // namespace tutti::studies
