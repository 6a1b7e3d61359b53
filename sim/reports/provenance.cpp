// SPDX-License-Identifier: BSD-3-Clause
// The origin of the numbers of a report: platforms, versions and command.
#include "platforms/parameters/routing.hpp"
#include "platforms/topology_description.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/accelerators.hpp"
#include "sim/reports/report.hpp"
#include "sim/reports/version.hpp"

namespace tutti::reports {
namespace {

std::string routing_of(const platforms::Machine& machine) {
  using platforms::Routing;
  std::vector<std::string> parts;
  if (machine.routing != Routing::fixed)
    parts.push_back(fmt::format("routing {}", platforms::routing_name(machine.routing)));
  if (machine.routing > Routing::split)
    parts.back() += fmt::format(" ({} shortest, {} detours)", machine.adaptive_shortest,
                                machine.adaptive_detours);
  if (machine.spreads_jobs) parts.push_back("jobs spread over the nodes");
  if (machine.stripe_from)
    parts.push_back(fmt::format("{} rails from {} on", machine.topology->rails(),
                                format_bytes(*machine.stripe_from)));
  else if (machine.topology->rails() > 1)
    parts.push_back(fmt::format("{} rails, one per rank", machine.topology->rails()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string background_of(const platforms::Machine& machine) {
  const auto background =
      std::ranges::find(machine.given, "mpi/background", &platforms::GivenParameter::key);
  return machine.background_Bps && background != machine.given.end() ? background->value : "";
}

// Links at either end of a route that only its node uses.
std::size_t own_links(const platforms::Topology& topology) {
  return topology.describe().forwards ? 0 : topology.nic_links();
}

// The largest fraction of a link that a background of jobs takes, except links of its nodes' NICs.
double busiest_fraction(const platforms::Machine& machine) {
  const auto& topology = *machine.topology;
  const auto& nodes = machine.background_nodes;
  auto load_Bps = *machine.background_Bps;
  std::vector<platforms::LinkId> route;
  for (std::size_t i = 0; i < nodes.size() && nodes.size() > 1; ++i) {
    route.clear();
    topology.route(nodes[i], nodes[(i + 1) % nodes.size()], route);
    const std::size_t own = std::min(own_links(topology), route.size());
    for (std::size_t link = 0; link < own; ++link)
      load_Bps[route[link]] = load_Bps[route[route.size() - 1 - link]] = 0;
  }
  double most = 0;
  for (platforms::LinkId id = 0; id < load_Bps.size(); ++id)
    most = std::max(most, load_Bps[id] / topology.link(id).bandwidth_Bps);
  return most;
}

std::string about_background(const platforms::Machine& machine) {
  if (!machine.background_Bps) return {};
  const auto& nodes = machine.background_nodes;
  if (nodes.empty())
    return fmt::format("traffic of other jobs, at most {:.2g} % of a link",
                       busiest_fraction(machine) * 100);
  const auto name_of = [&](platforms::HostId node) { return machine.topology->host_name(node); };
  return fmt::format(
      "mean traffic of jobs on {} from {} to {}, without bursts, at most {:.0f} % of a link{}; "
      "exact: `sim run FILE` with all jobs",
      counted(nodes.size(), "node"), name_of(nodes.front()), name_of(nodes.back()),
      busiest_fraction(machine) * 100,
      own_links(*machine.topology) > 0 ? " beyond their NICs" : "");
}

}  // namespace

std::string Provenance::platform_name() const {
  std::string names;
  for (const PlatformSource& platform : platforms) {
    const bool is_last = &platform == &platforms.back();
    names += (names.empty() ? "" : is_last ? " and " : ", ") + platform.name;
  }
  return names;
}

PlatformSource platform_source(const platforms::Machine& machine, const std::string& given_name) {
  // A file is read by the given name; the catalog has its own paths.
  return {.name = machine.name,
          .file = given_name,
          .from_catalog = machine.file != given_name,
          .hash = machine.content_hash,
          .size = platforms::size_of(machine),
          .routing = routing_of(machine),
          .background = background_of(machine),
          .background_about = about_background(machine),
          .accelerators = machine.info("accelerators"),
          .ranks = jobs::meaning_of_ranks(machine)};
}

Provenance plain_provenance(const std::string& command) {
  return {.version = version(),
          .commit = commit(),
          .simgrid_version = engines::simgrid_version(),
          .command = command};
}

Provenance provenance_of(const platforms::Machine& machine, const std::string& given_name,
                         const std::vector<platforms::Override>& overrides,
                         const std::string& command) {
  Provenance from = plain_provenance(command);
  from.platforms = {platform_source(machine, given_name)};
  from.overrides = overrides;
  return from;
}

}  // namespace tutti::reports
