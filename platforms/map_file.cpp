// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/map_file.hpp"

#include <fmt/format.h>

#include "platforms/node_name.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/rank_table.hpp"
#include "sim/base/suggest.hpp"

namespace tutti::platforms {

Result<MapPolicy> parse_map_policy(std::string_view word) {
  if (word == "block") return MapPolicy::block;
  if (word == "round-robin") return MapPolicy::round_robin;
  if (word.starts_with(map_file_prefix) && word != map_file_prefix) return MapPolicy::file;
  return usage_error(
      "", fmt::format("{} is no way to place ranks", in_quotes(word)),
      did_you_mean(word, {"block", "round-robin"}, "there are: block, round-robin, file:PATH"));
}

Result<std::vector<HostId>> read_map(std::string_view text, const std::string& file,
                                     const Machine& machine, int procs) {
  std::vector<HostId> hosts(static_cast<std::size_t>(procs));
  const auto take = [&](std::size_t rank, std::string_view node) -> std::optional<Error> {
    hosts[rank] = TUTTI_TRY(find_node(machine, node));
    return std::nullopt;
  };
  auto errors = read_rank_table(
      text, file, {.header = "rank,node", .missing = "is not placed", .twice = "is placed twice"},
      hosts.size(), take);
  if (!errors.empty()) return errors;
  return hosts;
}

}  // namespace tutti::platforms
