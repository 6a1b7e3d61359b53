// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/recexch.hpp"

namespace tutti::algorithms {

RecursiveExchange::RecursiveExchange(RankId procs, int radix)
    : radix_(std::max<std::int64_t>(2, std::min<std::int64_t>(radix, procs))) {
  while (size_ * radix_ <= procs) {
    size_ *= radix_;
    ++phases_;
  }
  dropped_ = procs - size_;
  folded_ = dropped_ * radix_ / (radix_ - 1);
}

RankId RecursiveExchange::representative(RankId rank) const {
  const std::int64_t last_of_its = rank + (radix_ - 1 - rank % radix_);
  return static_cast<RankId>(last_of_its < folded_ ? last_of_its : folded_);
}

std::vector<RankId> RecursiveExchange::represented(RankId rank) const {
  // The rank after the folded ones represents those of an incomplete group.
  const std::int64_t count = rank < folded_ ? radix_ - 1 : rank == folded_ ? folded_ % radix_ : 0;
  std::vector<RankId> ranks;
  for (std::int64_t i = 1; i <= count; ++i) ranks.push_back(static_cast<RankId>(rank - i));
  return ranks;
}

RankId RecursiveExchange::number(RankId rank) const {
  return static_cast<RankId>(rank < folded_ ? rank / radix_ : rank - dropped_);
}

RankId RecursiveExchange::rank(std::int64_t number) const {
  const bool is_folded = number < dropped_ / (radix_ - 1);
  return static_cast<RankId>(is_folded ? number * radix_ + radix_ - 1 : number + dropped_);
}

std::vector<RankId> RecursiveExchange::neighbors(RankId number, int phase) const {
  const std::int64_t weight = group_size(phase);
  const std::int64_t digit = number / weight % radix_;
  std::vector<RankId> others;
  for (std::int64_t other = 0; other < radix_; ++other)
    if (other != digit) others.push_back(static_cast<RankId>(number + (other - digit) * weight));
  return others;
}

RankId RecursiveExchange::reversed(RankId number) const {
  std::int64_t rest = number;
  std::int64_t result = 0;
  for (int digit = 0; digit < phases_; ++digit) {
    result = result * radix_ + rest % radix_;
    rest /= radix_;
  }
  return static_cast<RankId>(result);
}

std::int64_t RecursiveExchange::group_size(int level) const {
  std::int64_t size = 1;
  for (int i = 0; i < level; ++i) size *= radix_;
  return size;
}

std::int64_t RecursiveExchange::group(RankId number, int level) const {
  const std::int64_t size = group_size(level);
  return number / size * size;
}

RankId RecursiveExchange::first_rank(std::int64_t number) const {
  return number == 0 ? 0 : rank(number - 1) + 1;
}

RankId RecursiveExchange::most_represented() const {
  return static_cast<RankId>(std::min(dropped_, radix_ - 1));
}

Seconds phase_cost(const RecursiveExchange& exchange, Bytes bytes,
                   const models::MessageCost& cost) {
  return cost.exchange(bytes) + (exchange.radix() - 2) * cost.next(bytes);
}

}  // namespace tutti::algorithms
