// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/parameters/routing.hpp"

#include "platforms/parameters/keys.hpp"

namespace tutti::platforms {
namespace {

constexpr std::array routing_words = {"fixed", "hashed", "split", "adaptive", "optimal"};
constexpr int most_sockets = 64;
constexpr std::uint32_t most_adaptive_paths = 64;

void read_routing(const Settings& settings, Machine& machine, ErrorList& errors) {
  const auto* routing = settings.find("mpi/routing");
  if (routing == nullptr) return;
  const auto found = std::ranges::find(routing_words, routing->value);
  if (found == routing_words.end())
    return errors.add(
        routing->error(fmt::format("unknown routing {}", in_quotes(routing->value)),
                       did_you_mean(routing->value, routing_names(),
                                    fmt::format("expected {}", fmt::join(routing_words, ", ")))));
  machine.routing = static_cast<Routing>(found - routing_words.begin());
}

// "4+4": shortest paths and detours.
void read_adaptive_paths(const Settings& settings, Machine& machine, ErrorList& errors) {
  const auto* paths = settings.find("mpi/adaptive_paths");
  if (paths == nullptr) return;
  const auto parts = split(paths->value, '+');
  std::array<std::int64_t, 2> numbers{};
  bool is_valid = parts.size() == 2;
  for (std::size_t i = 0; is_valid && i < 2; ++i) {
    const auto number = parse_integer(parts[i]);
    is_valid = number && *number >= (i == 0 ? 1 : 0) && *number <= most_adaptive_paths;
    if (is_valid) numbers[i] = *number;
  }
  if (!is_valid)
    return errors.add(paths->error(
        fmt::format("{} is not a number of paths", in_quotes(paths->value)),
        fmt::format("expected the numbers of shortest paths (1 to {0}) and of detours (0 to {0}), "
                    "for example 4+4",
                    most_adaptive_paths)));
  machine.adaptive_shortest = static_cast<std::uint32_t>(numbers[0]);
  machine.adaptive_detours = static_cast<std::uint32_t>(numbers[1]);
}

void read_rails(const Settings& settings, Machine& machine, ErrorList& errors) {
  const auto* rails = settings.find("mpi/rails");
  if (rails == nullptr || rails->value == "rank") return;
  const auto from = parse_bytes(rails->value);
  if (!from)
    return errors.add(rails->error(
        fmt::format("{} is not a use of the rails", in_quotes(rails->value)),
        "expected rank (each rank sends over one), or the size from which messages use all of "
        "them, for example 64KiB"));
  if (machine.topology->rails() == 1)
    return errors.add(rails->error("the nodes have a single NIC", "remove mpi/rails"));
  machine.stripe_from = *from;
}

// "0,0,1,1": the socket of each NIC.
void read_rail_sockets(const Settings& settings, Machine& machine, ErrorList& errors) {
  const auto* given = settings.find("mpi/rail_sockets");
  if (given == nullptr) return;
  const auto parts = split(given->value, ',');
  const auto rails = machine.topology->rails();
  for (const auto part : parts) {
    const auto socket = parse_integer(part);
    if (!socket || *socket < 0 || *socket >= machine.sockets.count || parts.size() != rails)
      return errors.add(given->error(
          fmt::format("{} does not give the socket of each NIC", in_quotes(given->value)),
          fmt::format("expected {} number(s) from 0 to {}, separated by commas", rails,
                      machine.sockets.count - 1)));
    machine.sockets.of_rail.push_back(static_cast<int>(*socket));
  }
}

void read_sockets(const Settings& settings, Machine& machine, ErrorList& errors) {
  const auto* count = settings.find("mpi/sockets");
  Sockets& sockets = machine.sockets;
  set_if_given(count, sockets.count);
  if (sockets.count == 1) {
    for (const char* key : {"mpi/socket_bandwidth", "mpi/socket_link_bandwidth",
                            "mpi/socket_link_latency", "mpi/rail_sockets"})
      if (const auto* given = settings.find(key))
        errors.add(given->error("the nodes have a single socket", "also set mpi/sockets"));
    return;
  }
  if (sockets.count > most_sockets || sockets.count > machine.cores_per_host)
    return errors.add(count->error(
        fmt::format("{} sockets in a node of {} core(s)", sockets.count, machine.cores_per_host),
        fmt::format("at most one per core, and at most {}", most_sockets)));
  if (machine.intra_node != IntraNode::bus)
    return errors.add(count->error("sockets need a memory bus", "also set mpi/bus_bandwidth"));
  const auto* bus = settings.find("mpi/socket_bandwidth");
  sockets.bus_Bps =
      bus != nullptr ? value_of<double>(*bus) : machine.bus.bandwidth_Bps / sockets.count;
  set_if_given(settings.find("mpi/socket_link_bandwidth"), sockets.link_Bps);
  set_if_given(settings.find("mpi/socket_link_latency"), sockets.link_latency_s);
  read_rail_sockets(settings, machine, errors);
}

void read_job_nodes(const Settings& settings, Machine& machine, ErrorList& errors) {
  const auto* nodes = settings.find("mpi/job_nodes");
  if (nodes == nullptr) return;
  machine.spreads_jobs = nodes->value == "spread";
  if (machine.spreads_jobs || nodes->value == "first") return;
  errors.add(nodes->error(fmt::format("unknown nodes of a job {}", in_quotes(nodes->value)),
                          did_you_mean(nodes->value, {"first", "spread"},
                                       "expected first, or spread (evenly spaced nodes)")));
}

}  // namespace

std::vector<std::string> routing_names() { return {routing_words.begin(), routing_words.end()}; }

std::string_view routing_name(Routing routing) {
  return routing_words[static_cast<std::size_t>(routing)];
}

void read_routing_parameters(const Settings& settings, Machine& machine, ErrorList& errors) {
  read_job_nodes(settings, machine, errors);
  read_routing(settings, machine, errors);
  read_adaptive_paths(settings, machine, errors);
  read_rails(settings, machine, errors);
  read_sockets(settings, machine, errors);
}

}  // namespace tutti::platforms
