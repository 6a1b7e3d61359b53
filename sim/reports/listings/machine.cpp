// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/reader.hpp"
#include "sim/engines/engine.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/listings/listings.hpp"

namespace tutti::reports {
namespace {

// A file of the catalog, and its machine or error.
struct Listed {
  platforms::CatalogEntry entry;
  Result<platforms::Machine> machine;
};

std::string about_error(const Error& error) {
  return error.line > 0 ? fmt::format("error in line {}: {}", error.line, error.message)
                        : fmt::format("error: {}", error.message);
}

// A function that returns the cell of a machine, or an empty cell if the machine was not read.
template <class Get>
auto if_read(const Get& get) {
  return [get](const Listed& listed) {
    return listed.machine ? cell_of(std::invoke(get, *listed.machine)) : Cell();
  };
}

std::string title_of(const Route& route) {
  return fmt::format("{} -> {}{}{}", route.from_name(), route.to_name(),
                     route.which.empty() ? "" : ", ", route.which);
}

struct Hop {
  const Route& route;
  std::size_t number;  // from 0

  platforms::LinkId id() const { return route.links[number]; }
  platforms::Link link() const { return route.machine.link(id()); }
};

std::vector<Hop> hops_of(std::span<const Route> routes, bool text_columns) {
  constexpr std::size_t at_each_end = 20;
  std::vector<Hop> hops;
  for (const auto& route : routes)
    for (std::size_t i = 0, all = route.links.size(); i < all; ++i)
      if (text_columns ? i < at_each_end || i + at_each_end >= all : i < Route::most_listed)
        hops.push_back({route, i});
  return hops;
}

void add_link(const char* name, TableOf<std::vector<Hop>>& table) {
  table.add(name, {"link"}, [](auto& hop) { return hop.route.machine.link_name(hop.id()); });
  table.add("bandwidth_Bps", {"bandwidth", Shown::rate},
            [](auto& hop) { return hop.link().bandwidth_Bps; });
  table.add("latency_s", {"latency", Shown::time}, [](auto& hop) { return hop.link().latency_s; });
  table.add("sharing", {"sharing"}, [](auto& hop) { return sharing_of(hop.link()); });
}

DocumentTable links_table(std::span<const Route> routes, bool text_columns, bool has_paths) {
  TableOf table(hops_of(routes, text_columns), {.name = "links"});
  const auto source = [](auto& hop) { return hop.route.from_name(); };
  if (has_paths) {
    table.group("path", [](auto& hop) { return title_of(hop.route); });
    table.add("source", source);
  } else {
    table.group("source", source);
  }
  table.add("destination", [](auto& hop) { return hop.route.to_name(); });
  table.add("hop", {"hop"}, [](auto& hop) { return hop.number + 1; });
  add_link("link", table);
  return table.take();
}

Json json_of(const Route& route) {
  TableOf links(hops_of({&route, 1}, false));
  add_link("name", links);
  Json json = {{"source", route.from_name()}, {"destination", route.to_name()}};
  if (!route.which.empty()) json["path"] = route.which;
  json["latency_s"] = route.path.latency_s;
  json["bandwidth_Bps"] = route.path.bandwidth_Bps;
  json["link_count"] = route.links.size();
  json["links"] = rows_json(links.take().table);
  return json;
}

Json json_of(const std::vector<Route>& routes) {
  const auto& machine = routes.front().machine;
  Json all = Json::array();
  for (const auto& route : routes) all.push_back(json_of(route));
  return {{"schema", "sim.routes/1"},
          {"platform", machine.name},
          {"hash", machine.content_hash},
          {"routes", all}};
}

}  // namespace

std::string headline(const platforms::Machine& machine) {
  return fmt::format("{}: {}, {}", machine.name, platforms::describe(platforms::size_of(machine)),
                     machine.topology->kind());
}

std::string_view sharing_of(const platforms::Link& link) {
  return link.sharing == platforms::LinkSharing::shared ? "shared" : "fat pipe";
}

Result<Document> catalog_listing() {
  using platforms::Machine;
  std::vector<Listed> all;
  for (const auto& entry : TUTTI_TRY(platforms::catalog()))
    all.push_back({entry, platforms::load_machine(entry.path, {}, platforms::no_traffic)});
  TableOf table(all, {.name = "platforms", .omits_empty = true});
  table.add("name", {"name"}, [](auto& listed) { return listed.entry.name; });
  table.add("file", [](auto& listed) { return listed.entry.path; });
  table.add("error", {.how = Shown::below}, [](auto& listed) {
    return listed.machine ? Cell() : about_error(listed.machine.error());
  });
  table.add("hosts", {"nodes"}, if_read(&Machine::host_count));
  table.add("cores_per_host", {"cores each"}, if_read(&Machine::cores_per_host));
  table.add("cores", {"cores"}, if_read([](auto& m) { return platforms::size_of(m).cores; }));
  table.add("kind", {"topology"}, if_read([](auto& m) { return m.topology->kind(); }));
  table.add("description", {.how = Shown::below},
            if_read([](auto& m) { return m.info("description"); }));
  table.add("accelerators", {"GPUs", Shown::below}, if_read([](auto& m) {
              const auto accelerators = m.info("accelerators");
              if (accelerators.empty()) return Cell();
              return text_cell(accelerators + (m.devices ? ", with NCCL" : ", not modeled"));
            }));
  table.add("hash", if_read(&Machine::content_hash));
  return listing_of("sim.platforms/1", {table.take()});
}

Route route_of(const platforms::Machine& machine, platforms::HostId from, platforms::HostId to) {
  Route route{.machine = machine, .from = from, .to = to};
  route.path = machine.path(from, to, route.links);
  return route;
}

Alternatives alternatives_of(const platforms::Machine& machine, platforms::HostId from,
                             platforms::HostId to) {
  const auto& topology = *machine.topology;
  const platforms::RouteEnds ends{.source = from, .destination = to};
  Alternatives alternatives{.shortest = topology.shortest_paths(ends),
                            .detours = topology.detours(ends),
                            .routes = {route_of(machine, from, to)}};
  const auto add = [&](const char* what, std::uint64_t all, const auto& follow) {
    for (std::uint64_t i = 0; i < std::min(all, Alternatives::most_listed); ++i) {
      Route route{.machine = machine, .from = from, .to = to};
      follow(i, route.links);
      for (std::size_t hop = 0; hop < route.links.size(); ++hop)
        route.path.cross(machine.link(route.links[hop]), hop < topology.nic_links());
      route.which = fmt::format("{} {} of {}", what, i + 1, all);
      alternatives.routes.push_back(std::move(route));
    }
  };
  add("shortest path", alternatives.shortest, [&](std::uint64_t i, auto& links) {
    topology.shortest_path(ends, static_cast<std::uint32_t>(i), links);
  });
  add("detour", alternatives.detours,
      [&](std::uint64_t i, auto& links) { topology.detour(ends, i, links); });
  return alternatives;
}

Document routes_listing(const std::vector<Route>& routes, bool text_columns) {
  const auto& machine = routes.front().machine;
  auto listing = listing_of("sim.routes/1", {}, {headline(machine)});
  for (const auto& route : routes)
    listing.add_fact(
        "", fmt::format("{}: {}, latency {}, at most {}", title_of(route),
                        counted(route.links.size(), "link"), format_seconds(route.path.latency_s),
                        format_rate(route.path.bandwidth_Bps)));
  if (routes.front().path.intra_node)
    listing.add_fact("", machine.intra_node == platforms::IntraNode::bus
                             ? "Messages inside a node cross its memory bus."
                             : "Messages inside a node go out through its NIC and back.");
  listing.tables = {links_table(routes, text_columns, false)};
  return listing;
}

Document alternatives_listing(const Alternatives& alternatives, bool text_columns) {
  auto listing = routes_listing(alternatives.routes, text_columns);
  listing.add_fact("",
                   fmt::format("{} and {}; the first {} of each are listed.",
                               counted(alternatives.shortest, "shortest path"),
                               counted(alternatives.detours, "detour"), Alternatives::most_listed));
  listing.tables = {links_table(alternatives.routes, text_columns, true)};
  return listing;
}

std::string routes_json(const std::vector<Route>& routes) { return dumped(json_of(routes), 2); }

std::string alternatives_json(const Alternatives& alternatives) {
  Json json = json_of(alternatives.routes);
  json["shortest_paths"] = alternatives.shortest;
  json["detours"] = alternatives.detours;
  return dumped(json, 2);
}

}  // namespace tutti::reports
