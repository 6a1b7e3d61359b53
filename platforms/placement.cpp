// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/map_file.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

constexpr const char* oversubscribe_hint = "--oversubscribe allows more processes than cores";

std::int64_t all_cores(const Machine& machine) {
  return std::int64_t{machine.host_count()} * machine.cores_per_host;
}

std::optional<Error> wrong_request(const Machine& machine, const PlacementRequest& request) {
  if (request.procs < 1)
    return usage_error("--procs", fmt::format("{} processes: at least 1 is needed", request.procs));
  if (request.procs > most_procs)
    return usage_error("--procs",
                       fmt::format("{} processes: at most {}", request.procs, most_procs));
  if (request.ppn && *request.ppn < 1)
    return usage_error("--ppn",
                       fmt::format("{} processes per node: at least 1 is needed", *request.ppn));
  if (request.oversubscribe) return std::nullopt;
  if (request.ppn && *request.ppn > machine.cores_per_host)
    return usage_error("--ppn",
                       fmt::format("{} processes per node, but a node of {} has {} core(s)",
                                   *request.ppn, printable(machine.name), machine.cores_per_host),
                       oversubscribe_hint);
  if (request.procs > all_cores(machine))
    return usage_error("--procs",
                       fmt::format("{} processes, but {} has {} cores ({} nodes x {})",
                                   request.procs, printable(machine.name), all_cores(machine),
                                   machine.host_count(), machine.cores_per_host),
                       oversubscribe_hint);
  return std::nullopt;
}

int ceil_div(int a, int b) { return a / b + (a % b != 0 ? 1 : 0); }

// Ranks per node; where the request leaves it open and oversubscribes, as even as it goes.
int ranks_per_node(const Machine& machine, const PlacementRequest& request) {
  if (request.ppn) return *request.ppn;
  const int usual = machine.default_ppn.value_or(machine.cores_per_host);
  const auto hosts = static_cast<int>(machine.host_count());
  return request.oversubscribe ? std::max(usual, ceil_div(request.procs, hosts)) : usual;
}

// Nodes in use and ranks on the fullest one.
void count_nodes(const Machine& machine, Placement& placement) {
  std::vector<int> ranks(machine.host_count(), 0);
  for (const HostId host : placement.host_of) ++ranks[host];
  placement.nodes = static_cast<int>(ranks.size() - std::count(ranks.begin(), ranks.end(), 0));
  placement.ppn = *std::max_element(ranks.begin(), ranks.end());
}

Result<Placement> place_by_rule(const Machine& machine, const PlacementRequest& request) {
  const int ppn = ranks_per_node(machine, request);
  const auto room = std::int64_t{machine.host_count()} * ppn;
  if (request.procs > room)
    return usage_error(
        "--procs",
        fmt::format("{} processes, but {} nodes x {} processes per node are {}", request.procs,
                    machine.host_count(), ppn, room),
        fmt::format("--ppn {} is enough",
                    ceil_div(request.procs, static_cast<int>(machine.host_count()))));
  const int nodes = ceil_div(request.procs, ppn);
  const bool deal = request.policy == MapPolicy::round_robin;
  Placement placement;
  placement.host_of.reserve(static_cast<std::size_t>(request.procs));
  for (int rank = 0; rank < request.procs; ++rank) {
    placement.host_of.push_back(static_cast<HostId>(deal ? rank % nodes : rank / ppn));
  }
  placement.nodes = nodes;
  placement.ppn = deal ? ceil_div(request.procs, nodes) : std::min(ppn, request.procs);
  return placement;
}

Result<Placement> place_by_file(const Machine& machine, const PlacementRequest& request) {
  auto text = request.map_text;
  if (!text) {
    auto read = read_map_file(request.file);
    if (!read) return read.errors();
    text = std::make_shared<const std::string>(*std::move(read));
  }
  auto hosts = read_map(*text, request.file, machine, request.procs);
  if (!hosts) return hosts.errors();
  Placement placement;
  placement.host_of = *std::move(hosts);
  count_nodes(machine, placement);
  const int most = request.ppn.value_or(machine.cores_per_host);
  if (placement.ppn <= most || (request.oversubscribe && !request.ppn)) return placement;
  return make_error(ErrorKind::input, request.file,
                    fmt::format("{} ranks on one node, but {}", placement.ppn,
                                request.ppn ? fmt::format("--ppn allows {}", most)
                                            : fmt::format("a node of {} has {} core(s)",
                                                          printable(machine.name), most)),
                    request.ppn ? "leave out --ppn" : oversubscribe_hint);
}

}  // namespace

Result<std::string> read_map_file(const std::string& path) { return read_text_file(path); }

Result<Placement> place(const Machine& machine, const PlacementRequest& request) {
  if (const auto error = wrong_request(machine, request)) return *error;
  return request.policy == MapPolicy::file ? place_by_file(machine, request)
                                           : place_by_rule(machine, request);
}

}  // namespace tutti::platforms
