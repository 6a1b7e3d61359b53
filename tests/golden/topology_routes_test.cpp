// SPDX-License-Identifier: BSD-3-Clause
// The routes of clusters of every topology equal those of SimGrid, link by link, including names.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <string>

#include "platforms/reader.hpp"
#include "sim/base/text.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/platform_text.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

// The first five fields of a row.
std::string cluster(const std::vector<std::string_view>& row) {
  return fmt::format(
      "<platform version='4.1'><cluster id='c' prefix='h' topology='{}' topo_parameters='{}' "
      "sharing_policy='{}' {} radical='{}' bw='1GBps' lat='1us'/></platform>",
      row[0], row[1], row[2], row[3] == "1" ? "limiter_link='3GBps'" : "", row[4]);
}

}  // namespace

TEST_CASE("routes of flat clusters, fat trees, tori and dragonflies equal those of SimGrid 3.32") {
  std::ifstream file(TUTTI_SOURCE_DIR "/tests/golden/data/topology_routes.csv");
  REQUIRE(file.is_open());
  std::map<std::string, Machine> machines;
  int routes = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("topology|")) continue;
    CAPTURE(line);
    const auto row = split(line, '|');
    REQUIRE(row.size() == 9);
    const auto xml = cluster(row);
    if (!machines.contains(xml)) machines.emplace(xml, good(xml));
    const Machine& machine = machines.at(xml);
    const auto& topology = *machine.topology;
    const auto source = topology.find_host(row[5]);
    const auto destination = topology.find_host(row[6]);
    REQUIRE(source);
    REQUIRE(destination);
    std::string names;
    Seconds latency = 0;
    std::vector<LinkId> links;
    topology.route(*source, *destination, links);
    for (const auto id : links) {
      names += (names.empty() ? "" : " ") + topology.link_name(id);
      latency += topology.link(id).latency_s;
    }
    CHECK(names == row[8]);
    CHECK(latency == tests::exactly(std::stod(std::string(row[7]))));
    ++routes;
  }
  CHECK(machines.size() == 17);
  CHECK(routes > 300);
}
