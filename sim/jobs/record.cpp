// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/record.hpp"

namespace tutti::jobs {

Seconds time_to_compare(const Record& record) {
  return record.time_s.value_or(0) * (1 + record.start_spread.value_or(0));
}

}  // namespace tutti::jobs
