// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/placement.hpp"

#include "sim/base/rank_table.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

std::string hint(const Machine& machine, std::string_view node) {
  constexpr HostId most_compared = 4096;  // bounds the cost of a suggestion
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

Result<MapPolicy> parse_map_policy(std::string_view word) {
  if (word == "block") return MapPolicy::block;
  if (word == "round-robin") return MapPolicy::round_robin;
  if (word.starts_with(map_file_prefix) && word != map_file_prefix) return MapPolicy::file;
  return usage_error(
      "", fmt::format("unknown mapping {}", in_quotes(word)),
      did_you_mean(word, {"block", "round-robin"}, "mappings: block, round-robin, file:PATH"));
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

namespace {

constexpr const char* oversubscribe_hint = "--oversubscribe allows more processes than cores";

std::optional<Error> wrong_request(const Machine& machine, const PlacementRequest& request) {
  if (request.procs < 1)
    return usage_error("--procs", fmt::format("{} processes: must be at least 1", request.procs));
  if (request.procs > most_procs)
    return usage_error("--procs",
                       fmt::format("{} processes: at most {}", request.procs, most_procs));
  if (request.ppn && *request.ppn < 1)
    return usage_error("--ppn",
                       fmt::format("{} processes per node: must be at least 1", *request.ppn));
  if (request.oversubscribe) return std::nullopt;
  if (request.ppn && *request.ppn > machine.cores_per_host)
    return usage_error("--ppn",
                       fmt::format("{} processes per node, but a node of {} has {} core(s)",
                                   *request.ppn, printable(machine.name), machine.cores_per_host),
                       oversubscribe_hint);
  const MachineSize size = size_of(machine);
  if (request.procs > size.cores)
    return usage_error("--procs",
                       fmt::format("{} processes, but {} has {} cores ({})", request.procs,
                                   printable(machine.name), size.cores, nodes_and_cores(size)),
                       oversubscribe_hint);
  return std::nullopt;
}

int ceil_div(int a, int b) { return a / b + (a % b != 0 ? 1 : 0); }

// Maximum ranks per node; with oversubscription and without a requested ppn, as even as possible.
int ranks_per_node(const Machine& machine, const PlacementRequest& request, HostId nodes) {
  if (request.ppn) return *request.ppn;
  const int usual = machine.default_ppn.value_or(machine.cores_per_host);
  const auto hosts = static_cast<int>(nodes);
  return request.oversubscribe ? std::max(usual, ceil_div(request.procs, hosts)) : usual;
}

// The nodes that a rule fills, in order, and how many ranks it may place on each: if nodes differ,
// at most as many as it has cores.
class Rooms {
 public:
  Rooms(const Machine& machine, const PlacementRequest& request, std::vector<HostId> listed)
      : machine_(machine),
        listed_(std::move(listed)),
        ppn_(ranks_per_node(machine, request, size())),
        bounded_(!machine.host_cores.empty() && !request.oversubscribe) {}

  int ppn() const { return ppn_; }
  HostId size() const {
    return listed_.empty() ? machine_.host_count() : static_cast<HostId>(listed_.size());
  }
  HostId host(HostId i) const { return listed_.empty() ? i : listed_[i]; }
  // Of the i-th node.
  int of(HostId i) const { return bounded_ ? std::min(ppn_, machine_.cores_of(host(i))) : ppn_; }
  std::int64_t all() const {
    if (!bounded_) return std::int64_t{size()} * ppn_;
    std::int64_t sum = 0;
    for (HostId i = 0; i < size(); ++i) sum += of(i);
    return sum;
  }

 private:
  const Machine& machine_;
  std::vector<HostId> listed_;  // empty: all nodes
  int ppn_;
  bool bounded_;
};

// Sets `nodes` and `ppn` of the placement; returns the number of ranks of each node.
std::vector<int> count_nodes(const Machine& machine, Placement& placement) {
  std::vector<int> ranks(machine.host_count(), 0);
  for (const HostId host : placement.host_of) ++ranks[host];
  placement.nodes = static_cast<int>(ranks.size() - std::count(ranks.begin(), ranks.end(), 0));
  placement.ppn = *std::max_element(ranks.begin(), ranks.end());
  return ranks;
}

// The number of ranks of each node in use when `procs` ranks fill one node after the other.
std::vector<int> fill(const Rooms& rooms, int procs) {
  std::vector<int> ranks;
  for (HostId i = 0; procs > 0; ++i) {
    ranks.push_back(std::min(procs, rooms.of(i)));
    procs -= ranks.back();
  }
  return ranks;
}

std::vector<HostId> block(const Rooms& rooms, const std::vector<int>& ranks) {
  std::vector<HostId> hosts;
  for (HostId i = 0; i < ranks.size(); ++i)
    hosts.insert(hosts.end(), static_cast<std::size_t>(ranks[i]), rooms.host(i));
  return hosts;
}

// Visits the nodes in use in turn, skipping full ones.
std::vector<HostId> round_robin(const Rooms& rooms, std::size_t nodes, int procs) {
  std::vector<HostId> hosts;
  std::vector<HostId> open(nodes);
  std::iota(open.begin(), open.end(), HostId{0});
  for (int round = 1; static_cast<int>(hosts.size()) < procs; ++round) {
    const auto left =
        static_cast<std::ptrdiff_t>(procs) - static_cast<std::ptrdiff_t>(hosts.size());
    hosts.insert(hosts.end(), open.begin(), open.begin() + std::min(left, std::ssize(open)));
    std::erase_if(open, [&](HostId i) { return rooms.of(i) <= round; });
  }
  for (HostId& host : hosts) host = rooms.host(host);
  return hosts;
}

Error no_room(const Machine& machine, const PlacementRequest& request, const Rooms& rooms) {
  if (request.allocation)
    return usage_error("--procs", fmt::format("{} processes, but the {} of {} fit only {}",
                                              request.procs, counted(rooms.size(), "node"),
                                              printable(request.allocation->name), rooms.all()));
  const int least = ceil_div(request.procs, static_cast<int>(machine.host_count()));
  if (machine.host_cores.empty())
    return usage_error("--procs",
                       fmt::format("{} processes, but {} nodes x {} processes per node = {}",
                                   request.procs, machine.host_count(), rooms.ppn(), rooms.all()),
                       fmt::format("use --ppn {}", least));
  return usage_error(
      "--procs",
      fmt::format("{} processes, but {} with at most {} per node fit only {}", request.procs,
                  nodes_and_cores(size_of(machine)), rooms.ppn(), rooms.all()),
      fmt::format("the maximum is --ppn {}", machine.cores_per_host));
}

// Empty: all nodes.
Result<std::vector<HostId>> nodes_of(const Machine& machine, const PlacementRequest& request) {
  std::vector<HostId> nodes;
  if (!request.allocation) return nodes;
  for (const auto& name : request.allocation->nodes)
    nodes.push_back(TUTTI_TRY(find_node(machine, name)));
  return nodes;
}

Result<Placement> place_by_rule(const Machine& machine, const PlacementRequest& request) {
  const Rooms rooms(machine, request, TUTTI_TRY(nodes_of(machine, request)));
  if (request.procs > rooms.all()) return no_room(machine, request, rooms);
  const auto ranks = fill(rooms, request.procs);
  Placement placement;
  placement.host_of = request.policy == MapPolicy::round_robin
                          ? round_robin(rooms, ranks.size(), request.procs)
                          : block(rooms, ranks);
  count_nodes(machine, placement);
  return placement;
}

// The error for `ranks` of a map file on one node.
Error too_many(const Machine& machine, const PlacementRequest& request, HostId host, int ranks) {
  const auto node = machine.host_cores.empty() ? "a node of " + printable(machine.name)
                                               : printable(machine.topology->host_name(host));
  return make_error(
      ErrorKind::input, request.file,
      fmt::format("{} ranks on one node, but {}", ranks,
                  request.ppn ? fmt::format("--ppn allows {}", *request.ppn)
                              : fmt::format("{} has {} core(s)", node, machine.cores_of(host))),
      request.ppn ? "omit --ppn" : oversubscribe_hint);
}

Result<Placement> place_by_file(const Machine& machine, const PlacementRequest& request) {
  auto text = request.map_text;
  if (!text) {
    text = std::make_shared<const std::string>(TUTTI_TRY(read_map_file(request.file)));
  }
  auto hosts = TUTTI_TRY(read_map(*text, request.file, machine, request.procs));
  Placement placement;
  placement.host_of = std::move(hosts);
  const auto ranks = count_nodes(machine, placement);
  if (request.oversubscribe && !request.ppn) return placement;
  for (HostId host = 0; host < ranks.size(); ++host) {
    const int most = request.ppn.value_or(machine.cores_of(host));
    if (ranks[host] > most) return too_many(machine, request, host, ranks[host]);
  }
  return placement;
}

}  // namespace

Result<std::string> read_map_file(const std::string& path) { return read_text_file(path); }

Result<Placement> place(const Machine& machine, const PlacementRequest& request) {
  if (const auto error = wrong_request(machine, request)) return *error;
  return request.policy == MapPolicy::file ? place_by_file(machine, request)
                                           : place_by_rule(machine, request);
}

}  // namespace tutti::platforms
