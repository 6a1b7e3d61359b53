// SPDX-License-Identifier: BSD-3-Clause
// The amounts that ranks exchange with aggregators per step, for lookup by rank and by aggregator.
// About 32 bytes per entry.
#pragma once

#include "io_models/access.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

struct Leg {
  std::int32_t step = 0;
  std::int32_t peer = 0;    // aggregator (its number) of a rank's leg, rank of an aggregator's leg
  std::int64_t amount = 0;  // bytes, or pieces
};

class Legs {
 public:
  Legs() = default;
  // `by_aggregator`: legs of every aggregator, sorted by step, then by rank.
  Legs(int procs, int steps, const std::vector<std::vector<Leg>>& by_aggregator);

  std::span<const Leg> of_rank(RankId rank) const { return by_rank_.part(rank); }
  std::span<const Leg> of_aggregator(int aggregator) const {
    return by_aggregator_.part(aggregator);
  }
  // Number of ranks and of aggregators with data in a step, summed over the steps. Empty messages
  // do not count.
  std::int64_t busy_ranks() const { return by_rank_.busy(); }
  std::int64_t busy_aggregators() const { return by_aggregator_.busy(); }
  std::int64_t size() const { return static_cast<std::int64_t>(by_rank_.legs.size()); }

 private:
  struct Table {
    std::vector<Leg> legs;
    std::vector<std::size_t> first;  // by index; one extra entry
    std::span<const Leg> part(int index) const {
      return {legs.data() + first[index], first[index + 1] - first[index]};
    }
    std::int64_t busy() const;
  };
  Table by_rank_;
  Table by_aggregator_;
};

}  // namespace tutti::io_models
