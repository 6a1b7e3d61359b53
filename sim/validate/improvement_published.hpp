// SPDX-License-Identifier: BSD-3-Clause
// Measurements of Jha's dissertation on crill, compared with simulations: Table 3.2 (alltoall of 16
// KB before and after tuning) and Table 4.4 (broadcast of 64 KB under two eager limits). The
// dissertation does not report the placement, so several are simulated.
#pragma once

#include "sim/base/common.hpp"
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

// A published value and a simulated call that corresponds to it.
struct ComparedGain {
  const PublishedGain* published;
  const ImprovedCall* call;
  std::optional<Seconds> tuned_s;  // simulated
};
std::vector<ComparedGain> compared_table_3_2(const MessageTuning& tuning,
                                             const std::vector<ImprovedCall>& calls);

// The same for a broadcast, with the times of both formulas.
struct ComparedBroadcast {
  const PublishedBroadcast* published;
  const ImprovedCall* call;
  Seconds hockney_s, loggp_s;
  std::optional<Seconds> tuned_s;

  // Error of a time, relative to the measured one.
  double relative_error(Seconds time_s) const {
    return (time_s - published->untuned_s) / published->untuned_s;
  }
  // The simulated time is closer to the measured one than either formula.
  bool is_closer() const;
};
// `change` is the index of table_4_4_change.
std::vector<ComparedBroadcast> compared_table_4_4(const MessageTuning& tuning,
                                                  const std::vector<ImprovedCall>& calls,
                                                  std::size_t change);

}  // namespace tutti::studies
