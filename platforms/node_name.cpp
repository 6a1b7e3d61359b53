// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/node_name.hpp"

namespace tutti::platforms {
namespace {

std::string hint(const Machine& machine, std::string_view node) {
  constexpr HostId most_compared = 4096;  // a suggestion is not worth more
  const auto last = machine.host_count() - 1;
  std::vector<std::string> names;
  for (HostId id = 0; id < std::min(machine.host_count(), most_compared); ++id)
    names.push_back(machine.topology->host_name(id));
  return did_you_mean(
      node, names,
      fmt::format("nodes: {} to {}, or 0 to {}", printable(machine.topology->host_name(0)),
                  printable(machine.topology->host_name(last)), last));
}

}  // namespace

Result<HostId> find_node(const Machine& machine, std::string_view text) {
  if (const auto named = machine.topology->find_host(text)) return *named;
  const auto number = parse_integer(text);
  if (number && *number >= 0 && *number < machine.host_count()) return static_cast<HostId>(*number);
  return make_error(ErrorKind::usage, "",
                    fmt::format("the platform has no node {}", in_quotes(text)),
                    hint(machine, text));
}

}  // namespace tutti::platforms
