// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/placement.hpp"

#include "platforms/placing/host_file.hpp"
#include "platforms/placing/map_words.hpp"
#include "platforms/placing/rank_file.hpp"
#include "platforms/placing/sockets.hpp"
#include "sim/base/random.hpp"
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
    return usage_error("--procs", fmt::format("{} processes: must be at least 1", request.procs),
                       "for example --procs 64");
  if (request.procs > most_procs)
    return usage_error("--procs",
                       fmt::format("{} processes: at most {}", request.procs, most_procs));
  if (request.ppn && *request.ppn < 1)
    return usage_error(
        "--ppn", fmt::format("{} processes per node: must be at least 1", *request.ppn),
        fmt::format("a node of {} has {} cores", machine.name, machine.cores_per_host));
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

// The nodes that a rule fills, in order, and the slots of each: ranks that it may place there.
// Their number is that of a hostfile, else `ppn`, but at most the cores of the node if nodes
// differ.
class NodeSlots {
 public:
  NodeSlots(const Machine& machine, const PlacementRequest& request, std::vector<HostId> listed)
      : machine_(machine),
        listed_(std::move(listed)),
        ppn_(ranks_per_node(machine, request, size())),
        bounded_(!machine.host_cores.empty() && !request.oversubscribe) {}

  int ppn() const { return ppn_; }
  HostId size() const {
    return listed_.empty() ? machine_.host_count() : static_cast<HostId>(listed_.size());
  }
  HostId host(HostId i) const { return listed_.empty() ? i : listed_[i]; }
  // The slots of the i-th node.
  int count(HostId i) const {
    if (!given_.empty()) return given_[i];
    return bounded_ ? std::min(ppn_, machine_.cores_of(host(i))) : ppn_;
  }
  void set(std::vector<int> counts) { given_ = std::move(counts); }
  std::int64_t total() const {
    if (given_.empty() && !bounded_) return std::int64_t{size()} * ppn_;
    std::int64_t sum = 0;
    for (HostId i = 0; i < size(); ++i) sum += count(i);
    return sum;
  }

 private:
  const Machine& machine_;
  std::vector<HostId> listed_;  // empty: all nodes
  int ppn_;
  bool bounded_;
  std::vector<int> given_;  // by node; empty: no hostfile
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
std::vector<int> fill(const NodeSlots& slots, int procs) {
  std::vector<int> ranks;
  for (HostId i = 0; procs > 0; ++i) {
    ranks.push_back(std::min(procs, slots.count(i)));
    procs -= ranks.back();
  }
  return ranks;
}

std::vector<HostId> block(const NodeSlots& slots, const std::vector<int>& ranks) {
  std::vector<HostId> hosts;
  for (HostId i = 0; i < ranks.size(); ++i)
    hosts.insert(hosts.end(), static_cast<std::size_t>(ranks[i]), slots.host(i));
  return hosts;
}

// Visits the nodes in use in turn, skipping full ones.
std::vector<HostId> round_robin(const NodeSlots& slots, std::size_t nodes, int procs) {
  std::vector<HostId> hosts;
  std::vector<HostId> open(nodes);
  std::iota(open.begin(), open.end(), HostId{0});
  for (int round = 1; static_cast<int>(hosts.size()) < procs; ++round) {
    const auto left =
        static_cast<std::ptrdiff_t>(procs) - static_cast<std::ptrdiff_t>(hosts.size());
    hosts.insert(hosts.end(), open.begin(), open.begin() + std::min(left, std::ssize(open)));
    std::erase_if(open, [&](HostId i) { return slots.count(i) <= round; });
  }
  for (HostId& host : hosts) host = slots.host(host);
  return hosts;
}

Error too_few_slots(const Machine& machine, const PlacementRequest& request,
                    const NodeSlots& slots) {
  if (request.fragmentation)
    return usage_error("--procs",
                       fmt::format("{} processes, but the {} that {} leaves fit only {}",
                                   request.procs, counted(slots.size(), "node"),
                                   in_quotes(request.fragmentation->text), slots.total()),
                       "use a higher probability, more processes per node, or another seed");
  if (request.allocation || request.free_nodes)
    return usage_error(
        "--procs",
        fmt::format("{} processes, but the {} of {} fit only {}", request.procs,
                    counted(slots.size(), "node"),
                    request.allocation ? printable(request.allocation->name) : "no other job",
                    slots.total()),
        "use fewer processes, more per node (--ppn), or more nodes");
  const int least = ceil_div(request.procs, static_cast<int>(machine.host_count()));
  if (machine.host_cores.empty())
    return usage_error("--procs",
                       fmt::format("{} processes, but {} nodes x {} processes per node = {}",
                                   request.procs, machine.host_count(), slots.ppn(), slots.total()),
                       fmt::format("use --ppn {}", least));
  return usage_error(
      "--procs",
      fmt::format("{} processes, but {} with at most {} per node fit only {}", request.procs,
                  nodes_and_cores(size_of(machine)), slots.ppn(), slots.total()),
      fmt::format("the maximum is --ppn {}", machine.cores_per_host));
}

bool is_arbitrary(const PlacementRequest& request) {
  return request.policy == MapPolicy::slurm &&
         request.slurm.nodes == SlurmDistribution::Nodes::arbitrary;
}

// As many nodes as the job needs, evenly spaced over those that it may use; empty: all.
std::vector<HostId> spread_nodes(const Machine& machine, const PlacementRequest& request,
                                 const std::vector<HostId>& from) {
  const std::uint64_t hosts = from.empty() ? machine.host_count() : from.size();
  const int ppn = ranks_per_node(machine, request, static_cast<HostId>(hosts));
  const std::uint64_t count =
      std::min(hosts, static_cast<std::uint64_t>(ceil_div(request.procs, ppn)));
  std::vector<HostId> nodes;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto at = static_cast<HostId>(i * hosts / count);
    nodes.push_back(from.empty() ? at : from[at]);
  }
  return nodes;
}

// The nodes that the job may use, in the order in which ranks are placed on them; empty: all.
Result<std::vector<HostId>> nodes_of(const Machine& machine, const PlacementRequest& request) {
  std::vector<HostId> nodes;
  if (request.allocation) {
    auto named = hosts_of(machine, *request.allocation);
    if (!named) return usage_error("--nodes", named.error().message, named.error().hint);
    nodes = *std::move(named);
  } else if (request.free_nodes) {
    nodes = *request.free_nodes;
  }
  if (machine.spreads_jobs && !request.fragmentation && !names_nodes(request))
    return spread_nodes(machine, request, nodes);
  if (!request.fragmentation) return nodes;
  if (nodes.empty()) {
    nodes.resize(machine.host_count());
    std::iota(nodes.begin(), nodes.end(), HostId{0});
  }
  std::erase_if(nodes, [&](HostId node) { return !is_free(*request.fragmentation, node); });
  if (nodes.empty())
    return usage_error("--allocation",
                       fmt::format("{} leaves no node", in_quotes(request.fragmentation->text)),
                       "use a higher probability or another seed");
  return nodes;
}

// The ranks take the cores in random order (Fisher, Yates). `ranks`: of each node in use.
void shuffle(const std::vector<int>& ranks, std::uint64_t seed, Placement& placement) {
  auto& cores = placement.core_of;
  for (const int count : ranks)
    for (int core = 0; core < count; ++core) cores.push_back(core);
  for (std::size_t i = cores.size(); i > 1; --i) {
    const auto other = random_bits(seed, 0, i) % i;
    std::swap(cores[i - 1], cores[other]);
    std::swap(placement.host_of[i - 1], placement.host_of[other]);
  }
}

Result<Placement> place_by_rule(const Machine& machine, const PlacementRequest& request,
                                const std::vector<HostId>& nodes) {
  const NodeSlots slots(machine, request, nodes);
  if (request.procs > slots.total()) return too_few_slots(machine, request, slots);
  const auto ranks = fill(slots, request.procs);
  Placement placement;
  placement.host_of = request.policy == MapPolicy::round_robin
                          ? round_robin(slots, ranks.size(), request.procs)
                          : block(slots, ranks);
  if (request.policy == MapPolicy::random) shuffle(ranks, request.seed, placement);
  return placement;
}

// ---- Slurm's distributions ----

// The number of ranks of each node when the nodes get ranks in turn, which uses them evenly.
std::vector<int> deal(const NodeSlots& slots, std::size_t nodes, int procs) {
  std::vector<int> ranks(nodes, 0);
  for (int left = procs; left > 0;)
    for (std::size_t i = 0; i < nodes && left > 0; ++i)
      if (ranks[i] < slots.count(static_cast<HostId>(i))) {
        ++ranks[i];
        --left;
      }
  return ranks;
}

std::vector<HostId> planes(const NodeSlots& slots, std::size_t nodes, int procs, int size) {
  std::vector<HostId> hosts;
  for (std::size_t i = 0; static_cast<int>(hosts.size()) < procs; i = (i + 1) % nodes) {
    const auto left = procs - static_cast<int>(hosts.size());
    hosts.insert(hosts.end(), static_cast<std::size_t>(std::min(left, size)),
                 slots.host(static_cast<HostId>(i)));
  }
  return hosts;
}

// Consecutive ranks of a node are on different sockets.
void take_sockets_in_turn(const Machine& machine, Placement& placement) {
  if (machine.sockets.count <= 1) return;
  std::map<HostId, std::vector<int>> order;  // cores of a node in the order of its ranks
  std::map<HostId, std::size_t> ranks;
  for (const HostId host : placement.host_of) {
    auto& cores = order[host];
    for (int i = 0; cores.empty() || std::ssize(cores) < machine.cores_of(host); ++i)
      for (int socket = 0; socket < machine.sockets.count; ++socket)
        if (const auto [first, count] = cores_of_socket(machine, host, socket); i < count)
          cores.push_back(first + i);
    placement.core_of.push_back(cores[ranks[host]++ % cores.size()]);
  }
}

Result<std::vector<HostId>> arbitrary_hosts(const Machine& machine,
                                            const PlacementRequest& request) {
  auto hosts = TUTTI_TRY(read_host_of_ranks(*request.map_text, request.file, machine));
  const auto procs = static_cast<std::size_t>(request.procs);
  if (hosts.size() < procs)
    return make_error(
        ErrorKind::input, request.file,
        fmt::format("{} processes, but the file has the nodes of {}", procs, hosts.size()),
        "the file needs the node of each rank");
  hosts.resize(procs);
  return hosts;
}

Result<Placement> place_as_slurm(const Machine& machine, const PlacementRequest& request,
                                 const std::vector<HostId>& nodes) {
  using Nodes = SlurmDistribution::Nodes;
  Placement placement;
  if (request.slurm.nodes == Nodes::arbitrary) {
    placement.host_of = TUTTI_TRY(arbitrary_hosts(machine, request));
  } else {
    const NodeSlots slots(machine, request, nodes);
    if (request.procs > slots.total()) return too_few_slots(machine, request, slots);
    // A job on given nodes uses all of them.
    const auto used = request.allocation ? slots.size() : fill(slots, request.procs).size();
    placement.host_of = request.slurm.nodes == Nodes::block
                            ? block(slots, deal(slots, used, request.procs))
                        : request.slurm.nodes == Nodes::cyclic
                            ? round_robin(slots, used, request.procs)
                            : planes(slots, used, request.procs, request.slurm.plane);
  }
  if (request.slurm.sockets == SlurmDistribution::Sockets::cyclic)
    take_sockets_in_turn(machine, placement);
  return placement;
}

// ---- files ----

// The slots of each node. With oversubscription, slots are added in turn up to max_slots.
Result<std::vector<int>> slots_of(const std::vector<HostSlots>& hosts, const Machine& machine,
                                  const PlacementRequest& request) {
  std::vector<int> slots;
  std::int64_t all = 0;
  for (const auto& node : hosts) {
    const int usual = request.ppn.value_or(std::min(
        machine.default_ppn.value_or(machine.cores_per_host), machine.cores_of(node.host)));
    int count = std::min(node.slots.value_or(usual), node.most.value_or(most_procs));
    if (request.ppn) count = std::min(count, *request.ppn);
    slots.push_back(count);
    all += count;
  }
  for (bool grows = request.oversubscribe && !request.ppn; grows && all < request.procs;) {
    grows = false;
    for (std::size_t i = 0; i < hosts.size() && all < request.procs; ++i)
      if (slots[i] < hosts[i].most.value_or(most_procs)) {
        ++slots[i], ++all;
        grows = true;
      }
  }
  if (all >= request.procs) return slots;
  return make_error(ErrorKind::input, request.file,
                    fmt::format("{} processes, but {} with {}", request.procs,
                                counted(hosts.size(), "node"), counted(all, "slot")),
                    request.ppn ? "the number of slots of a node is at most --ppn"
                                : "add slots; --oversubscribe uses up to max_slots of each node");
}

Result<Placement> place_by_host_file(const Machine& machine, const PlacementRequest& request,
                                     const std::vector<HostId>& nodes) {
  const auto hosts = TUTTI_TRY(read_host_file(*request.map_text, request.file, machine, nodes));
  std::vector<HostId> listed;
  for (const auto& node : hosts) listed.push_back(node.host);
  NodeSlots slots(machine, request, std::move(listed));
  slots.set(TUTTI_TRY(slots_of(hosts, machine, request)));
  Placement placement;
  placement.host_of = block(slots, fill(slots, request.procs));
  return placement;
}

// The error for `ranks` of a map file on one node.
Error too_many(const Machine& machine, const PlacementRequest& request, HostId host, int ranks) {
  const auto node = machine.host_cores.empty() ? "a node of " + printable(machine.name)
                                               : printable(machine.topology->host_name(host));
  return make_error(
      ErrorKind::input, request.file.empty() ? "--map" : request.file,
      fmt::format("{} ranks on one node, but {}", ranks,
                  request.ppn ? fmt::format("--ppn allows {}", *request.ppn)
                              : fmt::format("{} has {} core(s)", node, machine.cores_of(host))),
      request.ppn ? "omit --ppn" : oversubscribe_hint);
}

// Checks a placement that a file determines, or planes of ranks.
std::optional<Error> wrong_placement(const Machine& machine, const PlacementRequest& request,
                                     const std::vector<HostId>& nodes,
                                     const std::vector<int>& ranks) {
  if (!nodes.empty()) {
    const std::set<HostId> allowed(nodes.begin(), nodes.end());
    for (HostId host = 0; host < ranks.size(); ++host)
      if (ranks[host] > 0 && !allowed.contains(host))
        return make_error(ErrorKind::input, request.file,
                          fmt::format("node {} is not among the nodes of the job",
                                      in_quotes(machine.topology->host_name(host))),
                          fmt::format("the job has {}, by --nodes or --allocation",
                                      counted(nodes.size(), "node")));
  }
  if (request.oversubscribe && !request.ppn) return std::nullopt;
  for (HostId host = 0; host < ranks.size(); ++host) {
    const int most = request.ppn.value_or(machine.cores_of(host));
    if (ranks[host] > most) return too_many(machine, request, host, ranks[host]);
  }
  return std::nullopt;
}

Result<Placement> place_by_file(const Machine& machine, const PlacementRequest& request,
                                const std::vector<HostId>& nodes) {
  switch (request.policy) {
    case MapPolicy::host_file:
      return place_by_host_file(machine, request, nodes);
    case MapPolicy::rank_file:
      return read_rank_file(*request.map_text, request.file, machine, nodes, request.procs,
                            request.oversubscribe);
    case MapPolicy::slurm:
      return place_as_slurm(machine, request, nodes);
    default: {
      Placement placement;
      placement.host_of =
          TUTTI_TRY(read_map(*request.map_text, request.file, machine, request.procs));
      return placement;
    }
  }
}

void add_sockets(const Machine& machine, Placement& placement) {
  const auto cores = cores_of(placement, machine);
  for (std::size_t rank = 0; rank < cores.size(); ++rank) {
    const HostId host = placement.host_of[rank];
    placement.socket_of.push_back(
        host * static_cast<std::uint32_t>(machine.sockets.count) +
        static_cast<std::uint32_t>(socket_of_core(machine, host, cores[rank])));
  }
}

}  // namespace

bool names_nodes(const PlacementRequest& request) {
  const auto policy = request.policy;
  return request.allocation || policy == MapPolicy::file || policy == MapPolicy::rank_file ||
         policy == MapPolicy::host_file || is_arbitrary(request);
}

Result<std::vector<HostId>> hosts_of(const Machine& machine, const Allocation& allocation) {
  std::vector<HostId> hosts;
  std::vector<bool> seen(machine.host_count());
  for (const auto& name : allocation.nodes) {
    const auto host = TUTTI_TRY(find_node(machine, name));
    if (!seen[host]) hosts.push_back(host);
    seen[host] = true;
  }
  return hosts;
}

Result<std::string> read_map_file(const std::string& path) { return read_text_file(path); }

Result<Placement> place(const Machine& machine, const PlacementRequest& request) {
  if (const auto error = wrong_request(machine, request)) return *error;
  const auto nodes = TUTTI_TRY(nodes_of(machine, request));
  const bool is_rule = request.policy == MapPolicy::block || request.policy == MapPolicy::random ||
                       request.policy == MapPolicy::round_robin;
  PlacementRequest complete = request;
  if (!is_rule && !request.file.empty() && !request.map_text)
    complete.map_text = std::make_shared<const std::string>(TUTTI_TRY(read_map_file(request.file)));
  auto placement = TUTTI_TRY(is_rule ? place_by_rule(machine, request, nodes)
                                     : place_by_file(machine, complete, nodes));
  const auto ranks = count_nodes(machine, placement);
  if (!is_rule)
    if (const auto error = wrong_placement(machine, request, nodes, ranks)) return *error;
  if (machine.sockets.count > 1) add_sockets(machine, placement);
  return placement;
}

int socket_of_core(const Machine& machine, HostId host, int core) {
  return static_cast<int>(std::int64_t{core} * machine.sockets.count / machine.cores_of(host));
}

std::vector<int> cores_of(const Placement& placement, const Machine& machine) {
  if (!placement.core_of.empty()) return placement.core_of;
  std::vector<int> cores, used(machine.host_count(), 0);
  for (const HostId host : placement.host_of)
    cores.push_back(used[host]++ % machine.cores_of(host));
  return cores;
}

}  // namespace tutti::platforms
