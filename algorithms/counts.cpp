// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/counts.hpp"

#include "sim/base/check.hpp"

namespace tutti::algorithms {

Counts::Counts(const std::vector<Bytes>& bytes_of_rank) {
  offsets_.reserve(bytes_of_rank.size() + 1);
  offsets_.push_back(0);
  for (const Bytes bytes : bytes_of_rank) {
    TUTTI_CHECK(bytes >= 0, "a count of less than no byte");
    Bytes sum = 0;
    TUTTI_CHECK(!__builtin_add_overflow(offsets_.back(), bytes, &sum), "counts beyond 2^63 B");
    offsets_.push_back(sum);
    filled_ += bytes > 0;
  }
}

}  // namespace tutti::algorithms
