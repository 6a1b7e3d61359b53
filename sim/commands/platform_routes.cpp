// SPDX-License-Identifier: BSD-3-Clause
// sim platform routes: the links between two nodes, there and back.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platforms/node_name.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/platform.hpp"
#include "sim/reports/csv.hpp"

namespace tutti::commands {
namespace {

using Json = nlohmann::ordered_json;
using platforms::HostId;
using platforms::LinkId;
using platforms::Machine;

constexpr OptionSpec specs[] = {set_option,
                                {option_group, "--format", "FORMAT", "text (default), json or csv"},
                                color_option,
                                quiet_option,
                                help_option};

struct Route {
  const Machine& machine;
  HostId from = 0;
  HostId to = 0;
  std::vector<LinkId> links{};
  platforms::Path path{};

  std::string from_name() const { return machine.topology->host_name(from); }
  std::string to_name() const { return machine.topology->host_name(to); }
};

Route route_of(const Machine& machine, HostId from, HostId to) {
  Route route{.machine = machine, .from = from, .to = to};
  route.path = machine.path(from, to, route.links);
  return route;
}

std::string_view sharing_of(const platforms::Link& link) {
  return link.sharing == platforms::LinkSharing::shared ? "shared" : "fat pipe";
}

std::string text_of(const Route& route) {
  std::string text = fmt::format(
      "{} -> {}: {} link{}, latency {}, at most {}\n", printable(route.from_name()),
      printable(route.to_name()), route.links.size(), route.links.size() == 1 ? "" : "s",
      format_seconds(route.path.latency_s), format_rate(route.path.bandwidth_Bps));
  std::size_t width = 0;
  for (const auto id : route.links)
    width = std::max(width, printable(route.machine.link_name(id)).size());
  for (const auto id : route.links) {
    const auto link = route.machine.link(id);
    text += fmt::format("  {:<{}}  {:>12}  {:>10}  {}\n", printable(route.machine.link_name(id)),
                        width, format_rate(link.bandwidth_Bps), format_seconds(link.latency_s),
                        sharing_of(link));
  }
  return text;
}

std::string text_of(const std::vector<Route>& routes) {
  const Machine& machine = routes.front().machine;
  std::string text = headline(machine) + '\n';
  for (const auto& route : routes) text += '\n' + text_of(route);
  if (routes.front().path.intra_node)
    text += machine.intra_node == platforms::IntraNode::bus
                ? "\nMessages inside a node cross its memory bus.\n"
                : "\nMessages inside a node go out through its network card and back.\n";
  return text;
}

std::string csv_of(const std::vector<Route>& routes) {
  std::string csv = reports::csv_line(
      {"source", "destination", "hop", "link", "bandwidth_Bps", "latency_s", "sharing"});
  for (const auto& route : routes) {
    std::size_t hop = 0;
    for (const auto id : route.links) {
      const auto link = route.machine.link(id);
      csv += reports::csv_line({route.from_name(), route.to_name(), fmt::format("{}", ++hop),
                                route.machine.link_name(id), fmt::format("{}", link.bandwidth_Bps),
                                fmt::format("{}", link.latency_s), std::string(sharing_of(link))});
    }
  }
  return csv;
}

Json json_of(const Route& route) {
  Json links = Json::array();
  for (const auto id : route.links) {
    const auto link = route.machine.link(id);
    links.push_back({{"name", route.machine.link_name(id)},
                     {"bandwidth_Bps", link.bandwidth_Bps},
                     {"latency_s", link.latency_s},
                     {"sharing", sharing_of(link)}});
  }
  return {{"source", route.from_name()},
          {"destination", route.to_name()},
          {"latency_s", route.path.latency_s},
          {"bandwidth_Bps", route.path.bandwidth_Bps},
          {"links", links}};
}

std::string json_of(const std::vector<Route>& routes) {
  const Machine& machine = routes.front().machine;
  Json all = Json::array();
  for (const auto& route : routes) all.push_back(json_of(route));
  return Json{{"schema", "sim.routes/1"},
              {"platform", machine.name},
              {"hash", machine.content_hash},
              {"routes", all}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         '\n';
}

int run(const Parsed& parsed, const Diagnostics& diagnostics) {
  const auto format = choice_of(parsed, "--format", {"text", "json", "csv"});
  if (!format) return diagnostics.fail(format.errors());
  const auto machine = machine_of(parsed, diagnostics, 3);
  if (!machine) return diagnostics.fail(machine.errors());
  const auto from = platforms::find_node(*machine, parsed.arguments[1]);
  if (!from) return diagnostics.fail(from.errors());
  const auto to = platforms::find_node(*machine, parsed.arguments[2]);
  if (!to) return diagnostics.fail(to.errors());
  std::vector<Route> routes{route_of(*machine, *from, *to)};
  if (*from != *to) routes.push_back(route_of(*machine, *to, *from));
  if (*format == "text") return print(text_of(routes), diagnostics);
  return print(*format == "csv" ? csv_of(routes) : json_of(routes), diagnostics);
}

}  // namespace

const PlatformSubcommand platform_routes{
    .usage = "routes NAME A B",
    .summary = "the links between two nodes",
    .help =
        "Prints the links that a message crosses from node A to node B, and those of the way "
        "back, with bandwidth, latency and sharing. A node is a name, or a number from 0.",
    .specs = specs,
    .run = run};

}  // namespace tutti::commands
