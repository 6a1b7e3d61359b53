// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/collective_bytes.hpp"

#include "workloads/traces/ti_actions.hpp"

namespace tutti::workloads::traces {
namespace {

std::uint64_t first_not_0(std::uint64_t wanted, std::uint64_t otherwise) {
  return wanted != 0 ? wanted : otherwise;
}

// One block of a total over all ranks, or, if only that divides evenly, over all other ranks (in
// place).
std::uint64_t block(std::uint64_t total, std::uint64_t ranks) {
  if (ranks <= 1 || total % ranks == 0 || total % (ranks - 1) != 0)
    return total / std::max<std::uint64_t>(ranks, 1);
  return total / (ranks - 1);
}

std::uint64_t of_totals(CollectiveOp op, std::uint64_t ranks, std::uint64_t sent,
                        std::uint64_t received) {
  switch (op) {
    case CollectiveOp::bcast:
    case CollectiveOp::scatter:
    case CollectiveOp::scatterv:
      return first_not_0(received, block(sent, ranks));  // 0 received: the root, in place
    case CollectiveOp::gather:
    case CollectiveOp::gatherv:
    case CollectiveOp::reduce:
      return first_not_0(sent, block(received, ranks));
    case CollectiveOp::scan:
      return (sent + received) / (ranks + 1);
    case CollectiveOp::exscan:
      return ranks <= 1 ? 0 : (sent + received) / (ranks - 1);
    default:
      return block(sent, ranks);
  }
}

std::uint64_t of_plain(CollectiveOp op, std::uint64_t ranks, std::uint64_t sent,
                       std::uint64_t received) {
  switch (op) {
    case CollectiveOp::bcast:
    case CollectiveOp::scatter:
    case CollectiveOp::scatterv:
      return first_not_0(received, sent);
    case CollectiveOp::alltoallv:
    case CollectiveOp::alltoallw:
    case CollectiveOp::reduce_scatter:
      return sent / std::max<std::uint64_t>(ranks, 1);
    default:
      return first_not_0(sent, received);
  }
}

}  // namespace

ByteCounts byte_counts(const TraceDefinitions& definitions) {
  const std::string& creator = definitions.creator;
  if (creator == ti_creator) return ByteCounts::blocks;
  const bool has_totals =
      creator.starts_with("Score-P") || creator == "Tutti" || creator == "synth";
  return has_totals ? ByteCounts::totals : ByteCounts::plain;
}

bool may_be_uneven(CollectiveOp op) {
  switch (op) {
    case CollectiveOp::gatherv:
    case CollectiveOp::scatterv:
    case CollectiveOp::allgatherv:
    case CollectiveOp::alltoallv:
    case CollectiveOp::alltoallw:
    case CollectiveOp::reduce_scatter:
      return true;
    default:
      return false;
  }
}

std::uint64_t bytes_per_rank(ByteCounts counts, CollectiveOp op, std::uint64_t comm_size,
                             std::uint64_t sent, std::uint64_t received) {
  if (op == CollectiveOp::barrier || op == CollectiveOp::other) return 0;
  if (counts == ByteCounts::blocks) return sent;
  return counts == ByteCounts::totals ? of_totals(op, comm_size, sent, received)
                                      : of_plain(op, comm_size, sent, received);
}

std::uint64_t bytes_per_rank(const TraceDefinitions& definitions, CollectiveOp op,
                             std::uint64_t comm_size, std::uint64_t sent, std::uint64_t received) {
  return bytes_per_rank(byte_counts(definitions), op, comm_size, sent, received);
}

}  // namespace tutti::workloads::traces
