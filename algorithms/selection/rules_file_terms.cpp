// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/rules_file_terms.hpp"

#include <algorithm>
#include <array>

namespace tutti::algorithms::selection {
namespace {

constexpr std::array<std::string_view, most_numbered> by_number = {
    "allgather",      "allgatherv",
    "allreduce",      "alltoall",
    "alltoallv",      "alltoallw",
    "barrier",        "bcast",
    "exscan",         "gather",
    "gatherv",        "reduce",
    "reduce_scatter", "reduce_scatter_block",
    "scan",           "scatter",
    "scatterv"};

enum class Counted : unsigned char { nothing, type_times_procs, block_times_procs, as_given };

Counted counted(std::string_view name) {
  const Collective& collective = *find_collective(name);
  if (name == "alltoallv" || name == "barrier") return Counted::nothing;
  if (name == "scan" || name == "exscan") return Counted::type_times_procs;  // sic
  if (collective.in_blocks && !collective.has_counts) return Counted::block_times_procs;
  return Counted::as_given;  // allgatherv: the mean of the ranks' blocks
}

}  // namespace

std::optional<std::string_view> collective_numbered(std::int64_t number) {
  if (number < 0 || number >= most_numbered) return std::nullopt;
  return by_number[static_cast<std::size_t>(number)];
}

std::optional<int> rules_file_number(std::string_view collective) {
  const auto* found = std::ranges::find(by_number, collective);
  if (found == by_number.end()) return std::nullopt;
  return static_cast<int>(found - by_number.begin());
}

bool obeys_rules_file(std::string_view collective) {
  return collective != "gatherv" && collective != "scatterv";
}

Bytes rules_file_bytes(const Query& query) {
  switch (counted(query.collective)) {
    case Counted::nothing:
      return 0;
    case Counted::type_times_procs:
      return query.elements == 0 ? 0 : query.message_bytes / query.elements * query.procs;
    case Counted::block_times_procs:
      return query.message_bytes * query.procs;
    case Counted::as_given:
      break;
  }
  return query.message_bytes;
}

std::string_view rules_file_bytes_mean(std::string_view collective) {
  switch (counted(collective)) {
    case Counted::nothing:
      return "always 0, whatever the message";
    case Counted::type_times_procs:
      return "the datatype's size times the processes, whatever the message";
    case Counted::block_times_procs:
      return "a rank's block times the processes";
    case Counted::as_given:
      break;
  }
  return find_collective(collective)->in_blocks ? "the mean of the ranks' blocks" : "the vector";
}

}  // namespace tutti::algorithms::selection
