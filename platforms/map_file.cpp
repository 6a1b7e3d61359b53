// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/map_file.hpp"

#include "platforms/node_name.hpp"
#include "sim/base/rank_table.hpp"

namespace tutti::platforms {

Result<std::vector<HostId>> read_map(std::string_view text, const std::string& file,
                                     const Machine& machine, int procs) {
  std::vector<HostId> hosts(static_cast<std::size_t>(procs));
  const auto take = [&](std::size_t rank, std::string_view node) -> std::optional<Error> {
    const auto found = find_node(machine, node);
    if (!found) return found.error();
    hosts[rank] = *found;
    return std::nullopt;
  };
  auto errors = read_rank_table(
      text, file, {.header = "rank,node", .missing = "is not placed", .twice = "is placed twice"},
      hosts.size(), take);
  if (!errors.empty()) return errors;
  return hosts;
}

}  // namespace tutti::platforms
