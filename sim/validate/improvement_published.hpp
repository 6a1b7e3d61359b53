// SPDX-License-Identifier: BSD-3-Clause
// What the dissertation measured on crill, and the same calls simulated: Table 3.2 (alltoall of
// 16 KB before and after tuning) and Table 4.4 (broadcast of 64 KB under two eager limits). It
// names no placement, so several are simulated.
#pragma once

#include <string>
#include <vector>

#include "sim/validate/improvement_summary.hpp"

namespace tutti::studies {

struct PublishedGain {    // Table 3.2
  std::string algorithm;  // Open MPI's name
  int procs;
  Seconds untuned_s, tuned_s;
};
const std::vector<PublishedGain>& table_3_2();
inline constexpr Bytes table_3_2_bytes = 16 * 1024;

struct PublishedBroadcast {  // Table 4.4, by binary tree
  int procs;
  Seconds untuned_s, tuned_s;  // eager limits of 12 KB and of 48 KB
};
const std::vector<PublishedBroadcast>& table_4_4();
inline constexpr Bytes table_4_4_bytes = 64 * 1024;
inline constexpr std::string_view table_4_4_change = "48KiB";

// A row for each published value and call of its kind among `calls`: measured and simulated times
// and improvements.
Table compared_table_3_2(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls);
// The same, beside both formulas; `change` is the number of table_4_4_change. `closer`: the
// simulated time is closer to the measured one than either formula.
Table compared_table_4_4(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls,
                         std::size_t change);

}  // namespace tutti::studies
