// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/machine_picture.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "platforms/reader.hpp"
#include "tests/support/files.hpp"

using namespace tutti;

namespace {

std::string picture_of(const platforms::Machine& machine) {
  const auto svg = reports::machine_picture(machine, true);
  REQUIRE(svg);
  return *svg;
}

std::string cluster(const std::string& radical, const std::string& topology,
                    const std::string& sizes) {
  const auto xml = "<platform version='4.1'><cluster id='c' prefix='n' suffix='' radical='" +
                   radical + "' speed='1Gf' bw='1GBps' lat='1us' sharing_policy='SPLITDUPLEX'" +
                   (topology.empty() ? "" : " topology='" + topology + "'") +
                   (sizes.empty() ? "" : " topo_parameters='" + sizes + "'") + "/></platform>";
  const auto machine = platforms::read_machine(xml, "c.xml");
  REQUIRE(machine);
  return picture_of(*machine);
}

struct Circle {
  double x, y, r;
};

// The circles of nodes, which have titles.
std::vector<Circle> circles_of(const std::string& svg) {
  static const std::regex circle(
      "<circle cx=\"([-.\\d]+)\" cy=\"([-.\\d]+)\" r=\"([.\\d]+)\"><title>");
  std::vector<Circle> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), circle), end; it != end; ++it)
    found.push_back({std::stod((*it)[1]), std::stod((*it)[2]), std::stod((*it)[3])});
  return found;
}

std::size_t covered_pairs(std::vector<Circle> circles) {
  std::sort(circles.begin(), circles.end(), [](auto a, auto b) { return a.x < b.x; });
  std::size_t count = 0;
  for (std::size_t i = 0; i < circles.size(); ++i)
    for (std::size_t j = i + 1; j < circles.size(); ++j) {
      if (circles[j].x - circles[i].x > 2 * circles[i].r) break;
      if (std::hypot(circles[j].x - circles[i].x, circles[j].y - circles[i].y) < 2 * circles[i].r)
        ++count;
    }
  return count;
}

}  // namespace

TEST_CASE("nodes of the catalog's machines do not overlap") {
  for (const char* name : {"crill", "fugaku", "vsc3", "marenostrum5", "opuntia-10k", "jupiter"}) {
    const auto machine = platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/" +
                                                 std::string(name) + ".xml");
    REQUIRE(machine);
    if (machine->host_count() > reports::most_drawn_vertices / 2) continue;
    CAPTURE(name);
    const auto circles = circles_of(picture_of(*machine));
    CHECK(circles.size() == machine->host_count());
    CHECK(covered_pairs(circles) == 0);
  }
}

TEST_CASE("thousands of nodes do not overlap in any topology") {
  struct Case {
    std::string radical, topology, sizes;
  };
  for (const auto& [radical, topology, sizes] :
       std::vector<Case>{{"0-2999", "", ""},
                         {"0-4095", "TORUS", "16,16,16"},
                         {"0-1999", "TORUS", "2000"},
                         {"0-2047", "TORUS", "8,4,4,4,4"},
                         {"0-2499", "TORUS", "50,50"},
                         {"0-1535", "DRAGONFLY", "8,2;4,2;12,1;4"},
                         {"0-2047", "FAT_TREE", "2;32,64;1,32;1,1"},
                         {"0-999", "FAT_TREE", "1;1000;1;1"}}) {
    CAPTURE(topology);
    CAPTURE(sizes);
    CHECK(covered_pairs(circles_of(cluster(radical, topology, sizes))) == 0);
  }
}

TEST_CASE("the legend shows kinds of links and the number of parallel links") {
  const auto svg = cluster("0-15", "FAT_TREE", "2;4,4;1,2;1,8");
  CHECK(tests::mentions(svg, ">1 GB/s, 1.00 us</text>"));
  CHECK(tests::mentions(svg, ">1 GB/s, 1.00 us, x8 (8 parallel links)</text>"));
  CHECK(tests::mentions(svg, ">x8</text>"));
  CHECK(!tests::mentions(cluster("0-15", "FAT_TREE", "2;4,4;1,2;1,1"), "parallel"));
  CHECK(tests::mentions(cluster("0-15", "TORUS", "4,4"), "links that wrap around"));
}

TEST_CASE("large machines are drawn with one box for the nodes of a switch") {
  const auto schematic_of = [](const std::string& name) {
    const auto machine =
        platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/" + name + ".xml");
    REQUIRE(machine);
    const auto svg = reports::machine_picture(*machine);
    REQUIRE(svg);
    CHECK(circles_of(*svg).empty());
    CHECK(svg->size() < 40'000);
    return *svg;
  };
  CHECK(tests::mentions(schematic_of("gros"), ">124</text>"));
  const auto oversubscribed = schematic_of("opuntia-10k");
  CHECK(tests::mentions(oversubscribed, ">oversubscribed 1.25:1</text>"));
  CHECK(tests::mentions(oversubscribed, ">25 switches</text>"));
  CHECK(tests::mentions(oversubscribed, ">20</text>"));
  CHECK(tests::mentions(schematic_of("vsc3"), "not oversubscribed"));
  CHECK(tests::mentions(schematic_of("juqueen"), ">dimension 1: 28 nodes, a ring</text>"));
  CHECK(tests::mentions(schematic_of("fugaku"), ">dimension 6: 4 nodes, a ring</text>"));
}
