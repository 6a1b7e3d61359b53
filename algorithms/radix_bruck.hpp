// SPDX-License-Identifier: BSD-3-Clause
// Bruck's algorithms of radix k: for each power d of k below P, a rank sends a message to each of
// the distances d, 2d .. (k-1)d below P.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::algorithms {

// Number of messages of all ranks; `radix` is at least 2.
inline std::int64_t radix_bruck_messages(std::int64_t procs, std::int64_t radix) {
  std::int64_t of_rank = 0;
  for (std::int64_t distance = 1; distance < procs; distance *= radix)
    of_rank += std::min(radix - 1, (procs - 1) / distance);
  return procs * of_rank;
}

}  // namespace tutti::algorithms
