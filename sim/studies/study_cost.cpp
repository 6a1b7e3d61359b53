// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_cost.hpp"

#include <algorithm>

namespace tutti::studies {

void StudyCost::learn(const Row& row) {
  const auto messages = number_of(cell_in(row, "messages")),
             wall_s = number_of(cell_in(row, "wall_s"));
  if (!messages || !wall_s) return;
  ++runs_;
  messages_ += *messages;
  wall_s_ += *wall_s;
  const auto procs = number_of(cell_in(row, "procs")),
             memory = number_of(cell_in(row, "peak_rss_bytes"));
  if (!procs || !memory) return;
  Bytes& most = memory_of_procs_[static_cast<std::int64_t>(*procs)];
  most = std::max(most, static_cast<Bytes>(*memory));
}

Seconds StudyCost::time_of(double messages) const {
  return messages_ > 0 ? messages * wall_s_ / messages_ : 0;
}

std::optional<Bytes> StudyCost::memory_of(std::int64_t procs) const {
  if (memory_of_procs_.empty()) return std::nullopt;
  auto larger = memory_of_procs_.lower_bound(procs);
  if (larger != memory_of_procs_.end()) return larger->second;
  const auto& [most, memory] = *memory_of_procs_.rbegin();
  return static_cast<Bytes>(static_cast<double>(memory) * static_cast<double>(procs) /
                            static_cast<double>(most));
}

}  // namespace tutti::studies
