// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/selection.hpp"

namespace tutti::algorithms::selection {
namespace {

struct MostId {
  std::string_view collective;
  int id;
};
constexpr MostId most_ids_31[] = {{"allgather", 6}, {"allgatherv", 5},     {"allreduce", 5},
                                  {"alltoall", 5},  {"alltoallv", 2},      {"barrier", 6},
                                  {"bcast", 6},     {"reduce_scatter", 3}, {"gather", 3},
                                  {"reduce", 6},    {"scatter", 2}};

}  // namespace

bool is_in_ompi_31(const Algorithm& algorithm) {
  const auto* found = std::ranges::find(most_ids_31, algorithm.collective, &MostId::collective);
  return found != std::end(most_ids_31) && algorithm.id >= 1 && algorithm.id <= found->id;
}

Choice Selection::choose(const Query& query) const {
  if (const auto found = named.find(query.collective); found != named.end()) return found->second;
  if (rules != nullptr) {
    const auto choice = rules->choose(query);
    TUTTI_CHECK(choice, "Selection::wrong has not checked the rules");
    if (*choice) return **choice;
  }
  const auto choice = selection::choose(rule_set, query);
  TUTTI_CHECK(choice, "there is no rule for an inner collective");
  return *choice;
}

std::optional<Error> Selection::wrong(std::span<const std::string_view> collectives,
                                      int procs) const {
  if (rules == nullptr) return std::nullopt;
  return rules->wrong_inside(procs, collectives);
}

}  // namespace tutti::algorithms::selection
