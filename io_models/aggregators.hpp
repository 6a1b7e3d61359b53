// SPDX-License-Identifier: BSD-3-Clause
// Selection of the aggregator ranks, and the groups of ranks of Open MPI's OMPIO.
#pragma once

#include "io_models/access.hpp"
#include "io_models/partitioning.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::io_models {

// Groups of consecutive ranks, as OMPIO forms them. The first procs mod count groups have one more
// rank than the others.
class RankGroups {
 public:
  // 1 <= count <= procs.
  RankGroups(int procs, int count) : count_(count), size_(procs / count), larger_(procs % count) {}

  int count() const { return count_; }
  RankId begin(int group) const { return group * size_ + std::min(group, larger_); }
  RankId end(int group) const { return begin(group + 1); }
  int size(int group) const { return end(group) - begin(group); }
  int of(RankId rank) const {
    const RankId in_larger = larger_ * (size_ + 1);
    return rank < in_larger ? rank / (size_ + 1) : larger_ + (rank - in_larger) / size_;
  }

 private:
  int count_;
  int size_;
  int larger_;  // number of larger groups
};

enum class AggregatorPlacement : std::uint8_t {
  groups,  // Open MPI's vulcan: the first rank of each of A groups of P / A consecutive ranks; the
           // first P mod A groups have one more rank; also its reads and those of dynamic_gen2
  spread,  // Open MPI's two_phase and dynamic_gen2: rank floor(i P / A)
  first,   // ROMIO with cb_config_list=*:*: ranks 0 .. A-1
  nodes    // round robin over the nodes: first the first rank of each node, then the second, ...;
           // with one aggregator per node, ROMIO's default (cb_config_list=*:1)
};

inline constexpr std::string_view placement_names[] = {"groups", "spread", "first", "nodes"};

// The `place` of the error is empty: the caller sets its option.
Result<AggregatorPlacement> parse_aggregator_placement(std::string_view word);

// The rank of each aggregator; 1 <= aggregators <= procs.
std::vector<runtime::RankId> place_aggregators(AggregatorPlacement how, int aggregators,
                                               const platforms::Placement& placement);

// The default number of aggregators of Open MPI 4.1 (OMPIO's grouping option 5, "simple"). The rule
// evaluates the model of Jha's dissertation for even partitioning with 1, incr, 2 incr, ...
// aggregators (incr: 2 below 16 processes, 4 below 128, 16 below 4096, then 32), in its own
// version: LogGP parameters of one InfiniBand cluster, no rounding up, and a square grid for
// everything except 1-D. It selects the last number before the first step
//   whose relative gain is smaller than that of the previous step by less than cutoff_percent (the
//   first step: whose relative gain is less), or
//   that gains less than 1 ms,
// but at most one per max_ratio processes, and at least one.

struct AutomaticAggregatorsArgs {
  int procs = 1;
  // The mean contiguous piece of a process' file view in bytes: all its data in 1-D, a piece of a
  // row in 2-D.
  Bytes piece_bytes = 0;
  // 1-D if this piece is the whole view of the process.
  Layout layout = Layout::one_d;
  Bytes buffer_bytes = 32 << 20;  // io_ompio_bytes_per_agg
  int max_ratio = 8;              // io_ompio_max_aggregators_ratio
  int cutoff_percent = 3;         // io_ompio_aggregators_cutoff_threshold
};

// Errors: numbers below 1; pieces of more than 2^63 - 1 bytes in total.
Result<int> automatic_aggregators(const AutomaticAggregatorsArgs& args);

// The number of aggregators that ROMIO's driver for Lustre uses of `requested` ones (cb_nodes) for
// a file with `stripes` targets: a multiple of `stripes`, at most `per_target` (the hint
// romio_lustre_co_ratio) times, or a divisor of it, so that each target is accessed by the same
// aggregators in all cycles. MPICH 4.0, ad_lustre_aggregate.c; its search for a divisor is not
// exhaustive. All arguments are at least 1.
int lustre_aggregators(int requested, int stripes, int per_target = 1);

}  // namespace tutti::io_models
