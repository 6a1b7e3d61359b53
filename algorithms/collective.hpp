// SPDX-License-Identifier: BSD-3-Clause
// Collective operations and their algorithms as the rest of the program sees them: a table.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::algorithms {

// A collective operation that can be run.
struct Collective {
  std::string_view name;  // "bcast"
  bool rooted = false;    // one rank is special; else `root` has no effect
  // message_bytes is one rank's block, of which the whole result has one for each rank; else it is
  // the whole vector.
  bool in_blocks = false;
};

// Arguments of one collective call. `message_bytes` as in the MPI benchmarks: the whole vector for
// bcast, allreduce, ...; one rank's block for allgather, alltoall, gather, scatter.
struct CollectiveArgs {
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;  // 0: not segmented
  int fanout = 0;           // chain: number of chains; knomial: radix; 0: the algorithm has none
  runtime::RankId root = 0;
  Bytes element_bytes = 1;  // datatype size; divides message_bytes
};

// Table 4.1 of the dissertation uses P and m; so do the cost functions.
struct ModelArgs {
  int procs = 1;
  CollectiveArgs call;
};

// One algorithm of one collective: rank program and, beside it, its cost in the analytic models.
struct Algorithm {
  std::string_view collective;  // "bcast"
  std::string_view name;        // Open MPI's name: "binomial"
  int id = 0;                   // Open MPI 4.1's id
  bool segmented = false;       // segment size matters
  int default_fanout = 0;       // Open MPI's MCA default when fan-out (or radix) matters, else 0
  int least_fanout = 1;         // a radix is at least 2
  std::string_view summary;     // one line for `sim list algorithms`
  runtime::Task (*program)(runtime::Rank& me, CollectiveArgs args) = nullptr;
  Seconds (*hockney)(const ModelArgs& args, const platforms::HockneyParameters& p) = nullptr;
  Seconds (*loggp)(const ModelArgs& args, const platforms::LogGPParameters& p) = nullptr;
  // How many messages one call sends, all ranks together, empty ones included. Exact, in O(log P).
  std::int64_t (*messages)(const ModelArgs& args) = nullptr;
};

// In the order of their algorithms.
std::span<const Collective> all_collectives();
const Collective* find_collective(std::string_view name);

// All algorithms, each collective's together, by id.
std::span<const Algorithm> all_algorithms();
std::vector<const Algorithm*> algorithms_of(std::string_view collective);
const Algorithm* find_algorithm(std::string_view collective, std::string_view name);

}  // namespace tutti::algorithms
