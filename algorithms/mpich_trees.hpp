// SPDX-License-Identifier: BSD-3-Clause
// MPICH's trees (treealgo/treeutil.c): a rank's parent and children, in the order in which the
// parent serves them, on the shifted rank v = (rank - root) mod P, as in trees.hpp.
#pragma once

#include "algorithms/trees.hpp"

namespace tutti::algorithms::trees {

// v has the children k v + 1, ..., k v + k.
Node kary(const Position& at, int radix);
// The subtree of a rank is the run of ranks that starts with it: the root of a run of k^n ranks has
// the children at its distance 1, 1 + k^(n-1), ..., each the root of a run of k^(n-1) ranks (k - 1
// of them), then of k^(n-2) ranks, and so on.
Node knomial_1(const Position& at, int radix);
// Open MPI's k-nomial tree (`knomial`), whose children of equal weight are served in descending
// order.
Node knomial_2(const Position& at, int radix);

// The levels of the k-ary tree; each rank has at most min(k, P-1) children.
Shape kary_shape(RankId procs, std::int64_t radix);

// Segments of a message; the first one has the rest.
class RestFirst {
 public:
  // `segment_bytes` <= 0: one segment.
  RestFirst(Bytes bytes, Bytes segment_bytes)
      : bytes_(bytes), segment_(segment_bytes <= 0 ? bytes : std::min(bytes, segment_bytes)) {}

  std::int64_t count() const { return (bytes_ + segment_ - 1) / segment_; }
  Slice of(std::int64_t index, std::int32_t buffer = runtime::recv_buffer) const {
    const Bytes rest = bytes_ - (count() - 1) * segment_;
    if (index == 0) return {0, rest, buffer};
    return {rest + (index - 1) * segment_, segment_, buffer};
  }

 private:
  Bytes bytes_;
  Bytes segment_;
};

}  // namespace tutti::algorithms::trees
