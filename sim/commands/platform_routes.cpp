// SPDX-License-Identifier: BSD-3-Clause
// sim platform routes: the links between two nodes, there and back.

#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/platform.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/csv.hpp"

namespace tutti::commands {
namespace {

using Json = nlohmann::ordered_json;
using platforms::HostId;
using platforms::LinkId;
using platforms::Machine;

constexpr OptionSpec platform_routes_specs[] = {
    set_option,
    taking("text json csv", {option_group, "--format", "FORMAT", "text (default), json or csv"}),
    color_option, quiet_option, help_option};

constexpr std::size_t most_listed = 100'000;

struct Route {
  const Machine& machine;
  HostId from = 0;
  HostId to = 0;
  std::vector<LinkId> links{};
  platforms::Path path{};

  std::string from_name() const { return machine.topology->host_name(from); }
  std::string to_name() const { return machine.topology->host_name(to); }
  // Those that JSON and CSV name.
  std::span<const LinkId> listed() const {
    return std::span(links).first(std::min(links.size(), most_listed));
  }
};

Route route_of(const Machine& machine, HostId from, HostId to) {
  Route route{.machine = machine, .from = from, .to = to};
  route.path = machine.path(from, to, route.links);
  return route;
}

std::string_view sharing_of(const platforms::Link& link) {
  return link.sharing == platforms::LinkSharing::shared ? "shared" : "fat pipe";
}

std::string lines_of(const Machine& machine, std::span<const LinkId> links, std::size_t width) {
  std::string text;
  for (const auto id : links) {
    const auto link = machine.link(id);
    text += fmt::format("  {:<{}}  {:>12}  {:>10}  {}\n", printable(machine.link_name(id)), width,
                        format_rate(link.bandwidth_Bps), format_seconds(link.latency_s),
                        sharing_of(link));
  }
  return text;
}

// Of a long route the two ends.
std::string lines_of(const Machine& machine, const std::vector<LinkId>& links) {
  constexpr std::size_t at_each_end = 20;
  const std::span all(links);
  const bool whole = links.size() <= 2 * at_each_end;
  const auto first = whole ? all : all.first(at_each_end);
  const auto last = whole ? all.first(0) : all.last(at_each_end);
  std::size_t width = 0;
  for (const auto end : {first, last})
    for (const auto id : end) width = std::max(width, printable(machine.link_name(id)).size());
  std::string text = lines_of(machine, first, width);
  if (!whole) text += fmt::format("  ... {} more\n", links.size() - 2 * at_each_end);
  return text + lines_of(machine, last, width);
}

std::string text_of(const Route& route) {
  return fmt::format("{} -> {}: {}, latency {}, at most {}\n", printable(route.from_name()),
                     printable(route.to_name()), counted(route.links.size(), "link"),
                     format_seconds(route.path.latency_s), format_rate(route.path.bandwidth_Bps)) +
         lines_of(route.machine, route.links);
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
    for (const auto id : route.listed()) {
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
  for (const auto id : route.listed()) {
    const auto link = route.machine.link(id);
    links.push_back({{"name", route.machine.link_name(id)},
                     {"bandwidth_Bps", link.bandwidth_Bps},
                     {"latency_s", link.latency_s},
                     {"sharing", sharing_of(link)}});
  }
  return {{"source", route.from_name()},       {"destination", route.to_name()},
          {"latency_s", route.path.latency_s}, {"bandwidth_Bps", route.path.bandwidth_Bps},
          {"link_count", route.links.size()},  {"links", links}};
}

std::string json_of(const std::vector<Route>& routes) {
  const Machine& machine = routes.front().machine;
  Json all = Json::array();
  for (const auto& route : routes) all.push_back(json_of(route));
  return reports::dumped({{"schema", "sim.routes/1"},
                          {"platform", machine.name},
                          {"hash", machine.content_hash},
                          {"routes", all}},
                         2);
}

Result<int> run_platform_routes(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto format = choice_of(parsed, "--format", {"text", "json", "csv"});
  if (!format) return format.errors();
  const auto machine = TUTTI_TRY(machine_of(parsed, diagnostics, 3));
  const auto from = TUTTI_TRY(platforms::find_node(machine, parsed.arguments[1]));
  const auto to = TUTTI_TRY(platforms::find_node(machine, parsed.arguments[2]));
  std::vector<Route> routes{route_of(machine, from, to)};
  if (from != to) routes.push_back(route_of(machine, to, from));
  if (*format == "text") return print(text_of(routes));
  for (const auto& route : routes)
    if (route.listed().size() < route.links.size())
      diagnostics.warning(fmt::format("{} -> {}: the first {} of {} links are listed",
                                      printable(route.from_name()), printable(route.to_name()),
                                      route.listed().size(), route.links.size()));
  return print(*format == "csv" ? csv_of(routes) : json_of(routes));
}

}  // namespace

const Subcommand platform_routes{
    .usage = "routes NAME A B",
    .summary = "the links between two nodes",
    .help =
        "Prints the links that a message crosses from node A to node B, and those of the way "
        "back, with bandwidth, latency and sharing; of more than 40 links the first and the last "
        "20. JSON and CSV have up to 100000. A node is a name, or a number from 0.",
    .specs = platform_routes_specs,
    .run = run_platform_routes,
    .words = options::platform_names};

}  // namespace tutti::commands
