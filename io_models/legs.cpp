// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/legs.hpp"

namespace tutti::io_models {

Legs::Legs(int procs, int steps, const std::vector<std::vector<Leg>>& by_aggregator) {
  by_aggregator_.first.push_back(0);
  for (const auto& own : by_aggregator) {
    by_aggregator_.legs.insert(by_aggregator_.legs.end(), own.begin(), own.end());
    by_aggregator_.first.push_back(by_aggregator_.legs.size());
  }
  // Counting sort, with steps in the outer and aggregators in the inner loop.
  auto& first = by_rank_.first;
  first.resize(static_cast<std::size_t>(procs) + 1);
  for (const Leg& leg : by_aggregator_.legs) ++first[leg.peer + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  by_rank_.legs.resize(by_aggregator_.legs.size());
  std::vector<std::size_t> next_of_rank(first.begin(), first.end() - 1);
  std::vector<std::size_t> done(by_aggregator.size());
  for (std::int32_t step = 0; step < steps; ++step)
    for (std::size_t i = 0; i < by_aggregator.size(); ++i)
      for (std::size_t& at = done[i];
           at < by_aggregator[i].size() && by_aggregator[i][at].step == step; ++at) {
        const Leg& leg = by_aggregator[i][at];
        by_rank_.legs[next_of_rank[leg.peer]++] = {step, static_cast<std::int32_t>(i), leg.amount};
      }
}

std::int64_t Legs::Table::busy() const {
  std::int64_t count = 0;
  for (int index = 0; index + 1 < static_cast<int>(first.size()); ++index) {
    std::int32_t last = -1;  // the last step with data
    for (const Leg& leg : part(index)) {
      if (leg.amount == 0 || leg.step == last) continue;
      last = leg.step;
      ++count;
    }
  }
  return count;
}

}  // namespace tutti::io_models
