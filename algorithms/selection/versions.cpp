// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/versions.hpp"

#include <algorithm>

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

}  // namespace tutti::algorithms::selection
