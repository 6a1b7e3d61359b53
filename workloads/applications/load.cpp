// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/applications/load.hpp"

namespace tutti::workloads::applications {

Seconds whole_nanoseconds(Seconds time_s) { return std::round(time_s * 1e9) / 1e9; }

Seconds Load::of(runtime::RankId rank, std::size_t instance) {
  return spec_.is_balanced ? mean(instance) : unbalanced(rank, instance);
}

Seconds Load::unbalanced(runtime::RankId rank, std::size_t instance) const {
  double share = 0;  // from -1, the least load, to 1
  if (shape_ == LoadShape::alternating)
    share = rank % 2 == 0 ? -1 : 1;
  else if (ranks_ > 1)
    share = 2.0 * rank / (ranks_ - 1) - 1;
  const double drawn =
      2 * random_uniform(spec_.seed, static_cast<std::uint64_t>(rank), instance) - 1;
  return whole_nanoseconds(spec_.mean_s * (1 + spec_.imbalance * share) *
                           (1 + spec_.noise * drawn));
}

Seconds Load::mean(std::size_t instance) {
  while (means_.size() <= instance) {
    Seconds sum_s = 0;
    for (runtime::RankId rank = 0; rank < ranks_; ++rank) sum_s += unbalanced(rank, means_.size());
    means_.push_back(whole_nanoseconds(sum_s / ranks_));
  }
  return means_[instance];
}

}  // namespace tutti::workloads::applications
