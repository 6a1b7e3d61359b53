// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/zones.hpp"

#include "platforms/parameters/keys.hpp"
#include "platforms/topologies/zones/core.hpp"
#include "platforms/topologies/zones/dijkstra_paths.hpp"
#include "platforms/topologies/zones/missing_route.hpp"
#include "platforms/xml/zone_contents.hpp"
#include "platforms/xml/zone_routes.hpp"

namespace tutti::platforms {
namespace {

void check_sizes(const XmlSource& source, const Document& document, const ZoneTreeSpec& spec,
                 ErrorList& errors) {
  for (ZoneId id = 0; id < spec.zones.size(); ++id) {
    if (spec.zones[id].routing != ZoneRouting::floyd) continue;
    const auto vertices = Core(spec.zones[id]).size();
    if (vertices > FloydPaths::most_vertices)
      errors.add(
          reported(source.at(document.zones[id].element),
                   fmt::format("{} vertices with more than one neighbour in a zone with routing "
                               "Floyd: at most {}",
                               vertices, FloydPaths::most_vertices),
                   "routing=\"Dijkstra\" finds equally short routes and supports larger zones"));
  }
}

void check_routes(const XmlSource& source, const Document& document, const ZoneTreeSpec& spec,
                  ErrorList& errors) {
  const auto problem = route_problem(spec);
  if (!problem) return;
  errors.add(
      reported(source.at(document.zones[problem->zone].element), problem->message, problem->hint));
}

}  // namespace

ZonesDescription read_zones(const XmlSource& source, const Document& document, ErrorList& errors) {
  auto contents = read_zone_contents(source, document, errors);
  if (errors.empty()) read_zone_routes(source, document, contents, errors);
  if (errors.empty()) check_sizes(source, document, contents.zones.spec, errors);
  if (errors.empty()) check_routes(source, document, contents.zones.spec, errors);
  return std::move(contents.zones);
}

void apply_loopback(const Settings& settings, ZoneTreeSpec& spec) {
  for (ZoneSpec& zone : spec.zones) {
    if (zone.inner || !zone.loopback) continue;
    set_if_given(settings.find("network/loopback-bw"), zone.loopback->bandwidth_Bps);
    set_if_given(settings.find("network/loopback-lat"), zone.loopback->latency_s);
  }
}

}  // namespace tutti::platforms
