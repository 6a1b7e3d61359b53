// SPDX-License-Identifier: BSD-3-Clause
// The bandwidths of a collective as nccl-tests defines them (doc/PERFORMANCE.md): the algorithm's,
// bytes / time, and the bus's, which does not depend on the number of ranks if links limit the
// time.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"

namespace tutti::jobs {

// The bytes that nccl-tests prints: the whole vector, or the blocks of all ranks.
inline Bytes nccl_bytes(std::string_view collective, std::int64_t procs, Bytes message_bytes) {
  const auto* known = algorithms::find_collective(collective);
  return message_bytes * (known != nullptr && known->in_blocks ? procs : 1);
}

// The bus bandwidth per algorithm bandwidth; unset for collectives that nccl-tests does not have.
inline std::optional<double> bus_factor(std::string_view collective, std::int64_t procs) {
  const auto ranks = static_cast<double>(procs);
  if (collective == "bcast" || collective == "reduce") return 1;
  if (collective == "allreduce") return 2 * (ranks - 1) / ranks;
  for (const std::string_view moving :
       {"allgather", "reduce_scatter", "reduce_scatter_block", "alltoall", "gather", "scatter"})
    if (collective == moving) return (ranks - 1) / ranks;
  return std::nullopt;
}

// B/s; unset without a factor or a time.
inline std::optional<double> bus_bandwidth(std::string_view collective, std::int64_t procs,
                                           Bytes message_bytes, std::optional<Seconds> time_s) {
  const auto factor = bus_factor(collective, procs);
  if (!factor || !time_s || *time_s <= 0) return std::nullopt;
  const auto bytes = static_cast<double>(nccl_bytes(collective, procs, message_bytes));
  return bytes / *time_s * *factor;
}

}  // namespace tutti::jobs
