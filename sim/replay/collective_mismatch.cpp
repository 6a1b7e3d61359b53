// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/collective_mismatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tutti::studies::replay {
namespace {

using workloads::traces::none;

// As CollectiveOp numbers them.
constexpr std::array<std::string_view, static_cast<std::size_t>(CollectiveOp::other) + 1>
    mpi_names = {"MPI_Barrier",
                 "MPI_Bcast",
                 "MPI_Gather",
                 "MPI_Gatherv",
                 "MPI_Scatter",
                 "MPI_Scatterv",
                 "MPI_Allgather",
                 "MPI_Allgatherv",
                 "MPI_Alltoall",
                 "MPI_Alltoallv",
                 "MPI_Alltoallw",
                 "MPI_Allreduce",
                 "MPI_Reduce",
                 "MPI_Reduce_scatter",
                 "MPI_Scan",
                 "MPI_Exscan",
                 "MPI_Reduce_scatter_block",
                 "a call that makes or frees a handle"};

// "1st"
std::string ordinal(std::uint64_t number) {
  constexpr std::array<std::string_view, 4> ends = {"th", "st", "nd", "rd"};
  const bool is_teen = number / 10 % 10 == 1;
  return fmt::format("{}{}", number, ends[is_teen || number % 10 > 3 ? 0 : number % 10]);
}

bool has_root(CollectiveOp op) { return waits_for(op, true) != waits_for(op, false); }

std::string with_root(const CollectiveCall& call, bool tells_root) {
  return tells_root ? fmt::format("{} with root {}", call.name(), call.root) : call.name();
}

}  // namespace

CollectiveCall CollectiveCall::of(const Event& event) {
  return {event.op, has_root(event.op) ? event.id : none};
}

bool CollectiveCall::is_like(const CollectiveCall& other) const {
  return op == other.op && (root == other.root || root == none || other.root == none);
}

std::string CollectiveCall::name() const {
  return std::string(mpi_names[static_cast<std::size_t>(op)]);
}

void CollectiveMismatches::look_at(const CollectiveNumber& number,
                                   const CollectiveInstance& instance, TraceRank rank,
                                   const Event& event,
                                   const workloads::traces::TraceDefinitions& definitions) {
  const auto mine = CollectiveCall::of(event);
  const CollectiveCall first{instance.op, instance.root < instance.members.size()
                                              ? instance.members[instance.root].rank
                                              : none};
  if (mine.is_like(first) || ++calls_ > 1) return;
  // The lower rank is the one that is right, whoever comes first.
  const bool is_lower = rank < instance.first_rank;
  const auto &right = is_lower ? mine : first, &other = is_lower ? first : mine;
  const bool tells_root = mine.op == first.op;
  first_ = fmt::format("rank {} calls {} where rank {} calls {}, as the {} collective of {}",
                       std::max(rank, instance.first_rank), with_root(other, tells_root),
                       std::min(rank, instance.first_rank), with_root(right, tells_root),
                       ordinal(number.number + 1), definitions.communicators[number.comm].name);
}

std::optional<std::string> CollectiveMismatches::note() const {
  if (calls_ == 0) return std::nullopt;
  if (calls_ == 1) return first_;
  return fmt::format("{}; {} calls of collectives do not match", first_, calls_);
}

}  // namespace tutti::studies::replay
