// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <regex>

#include "platforms/reader.hpp"
#include "sim/reports/machine_picture.hpp"
#include "tests/support/files.hpp"

using namespace tutti;

namespace {

struct SvgArea {
  double left, top, right, bottom;
  std::string what;

  bool contains(const SvgArea& other) const {
    return left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom;
  }
  bool overlaps(const SvgArea& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Approximate areas of the texts.
std::vector<SvgArea> texts_of(const std::string& svg) {
  static const std::regex text(
      "<text x=\"([-.\\d]+)\" y=\"([-.\\d]+)\" font-size=\"(\\d+)\"([^>]*)>([^<]*)</text>");
  std::vector<SvgArea> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
    const double x = std::stod((*it)[1]), y = std::stod((*it)[2]), size = std::stod((*it)[3]);
    const std::string style = (*it)[4], content = (*it)[5];
    const double em = style.find("bold") != std::string::npos ? 0.61 : 0.53;
    const double width = em * size * static_cast<double>(content.size());
    const double left = style.find("middle") != std::string::npos ? x - width / 2 : x;
    found.push_back({left, y - 0.76 * size, left + width, y + 0.1 * size, content});
  }
  return found;
}

std::vector<SvgArea> boxes_of(const std::string& svg, const std::string& color) {
  const std::regex box(
      "<rect x=\"([-.\\d]+)\" y=\"([-.\\d]+)\" width=\"([.\\d]+)\" height=\"([.\\d]+)\" "
      "rx=\"[.\\d]+\" fill=\"" +
      color + "\"");
  std::vector<SvgArea> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), box), end; it != end; ++it) {
    const double x = std::stod((*it)[1]), y = std::stod((*it)[2]);
    found.push_back({x, y, x + std::stod((*it)[3]), y + std::stod((*it)[4]), "box " + color});
  }
  return found;
}

constexpr const char* node_color = "#2b6cb0";
constexpr const char* switch_color = "#dd6b20";
constexpr const char* part_color = "#ebf4ff";  // other groups

void check_apart(const std::vector<SvgArea>& areas) {
  for (std::size_t i = 0; i < areas.size(); ++i)
    for (std::size_t j = i + 1; j < areas.size(); ++j)
      CHECK_MESSAGE(!areas[i].overlaps(areas[j]), areas[i].what, " overlaps ", areas[j].what);
}

// Nothing overlaps, except that texts may lie inside boxes, and nothing is cut off.
void check_layout(const std::string& svg) {
  static const std::regex page("<svg[^>]* width=\"(\\d+)\" height=\"(\\d+)\"");
  std::smatch size;
  REQUIRE(std::regex_search(svg, size, page));
  const SvgArea whole{0, 0, std::stod(size[1]), std::stod(size[2]), "page"};
  auto boxes = boxes_of(svg, node_color);
  for (const char* color : {switch_color, part_color}) {
    const auto more = boxes_of(svg, color);
    boxes.insert(boxes.end(), more.begin(), more.end());
  }
  const auto texts = texts_of(svg);
  check_apart(boxes);
  check_apart(texts);
  for (const auto& box : boxes) CHECK(whole.contains(box));
  for (const auto& text : texts) {
    CHECK_MESSAGE(whole.contains(text), text.what);
    for (const auto& box : boxes)
      CHECK_MESSAGE((box.contains(text) || !box.overlaps(text)), text.what, " crosses ", box.what);
  }
  CHECK(svg.size() < 60'000);
}

std::string schematic_of(const Result<platforms::Machine>& machine) {
  REQUIRE(machine);
  const auto svg = reports::machine_picture(*machine);
  REQUIRE(svg);
  check_layout(*svg);
  return *svg;
}

std::string catalog_schematic(const std::string& name) {
  CAPTURE(name);
  return schematic_of(
      platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/" + name + ".xml"));
}

// `more`: <prop> elements.
std::string cluster_schematic(int nodes, const std::string& topology, const std::string& sizes,
                              const std::string& more = "") {
  CAPTURE(sizes);
  const auto xml = "<platform version='4.1'><cluster id='c' prefix='n' suffix='' radical='0-" +
                   std::to_string(nodes - 1) +
                   "' core='8' speed='1Gf' bw='1GBps' lat='1us' sharing_policy='SPLITDUPLEX'" +
                   (topology.empty() ? "" : " topology='" + topology + "'") +
                   (sizes.empty() ? "" : " topo_parameters='" + sizes + "'") + ">" + more +
                   "</cluster></platform>";
  return schematic_of(platforms::read_machine(xml, "c.xml"));
}

void check_texts(const std::string& svg, const std::vector<std::string>& texts) {
  for (const auto& text : texts) CHECK_MESSAGE(tests::mentions(svg, ">" + text + "<"), text);
}

std::size_t count_of(const std::string& svg, const std::string& part) {
  std::size_t count = 0;
  for (auto at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a dragonfly+ is drawn with all cells, and the leaf and spine switches of one") {
  const auto leonardo = catalog_schematic("leonardo");
  check_texts(leonardo,
              {"dragonfly+ of 20 cells with 18 leaf and 18 spine switches each: 3456 nodes x 32 "
               "cores",
               "20 cells, every two connected", "by 18 links: 25 GB/s, 450 ns", "Cell 0: 180 nodes",
               "18 spine switches", "19 global links each",
               "1 link from each leaf to each spine:", "25 GB/s, 130 ns", "18 leaf switches",
               "10 nodes per leaf switch", "1 link each: 26.1 GB/s, 355 ns", "not oversubscribed",
               "+10", "to the other cells"});
  CHECK(count_of(leonardo, ">180</text>") == 19);
  CHECK(count_of(leonardo, ">36</text>") == 1);
  // Eight of 18 leaf and spine switches, and the nodes of eight leaf switches.
  CHECK(boxes_of(leonardo, switch_color).size() == 16);
  CHECK(boxes_of(leonardo, node_color).size() == 9);
  check_texts(catalog_schematic("leonardo-dcgp"),
              {"Cell 1: 624 nodes", "0 to 40 nodes per leaf switch"});
  check_texts(catalog_schematic("jupiter-booster"),
              {"oversubscribed 1.24:1", "24 global links each"});
}

TEST_CASE("a 1D dragonfly is drawn with all groups, and the switches of one") {
  check_texts(catalog_schematic("lumi"),
              {"24 groups, every two connected", "by 20 links: 25 GB/s, 1.05 us",
               "Group 0: 124 nodes", "32 switches", "28 switches with 4 nodes, 4 with 3",
               "1 link between every two switches:", "14 or 15 global links each"});
  check_texts(catalog_schematic("alps"), {"16 switches with 4 nodes, 16 with 3"});
  // The sockets of a node.
  check_texts(catalog_schematic("lumi-c"),
              {"A node", "socket 0", "socket 1", "64 cores", "memory bus of 51.2 GB/s each",
               "link to the other sockets: 96 GB/s, 105 ns", "1 NIC at the first socket"});
}

TEST_CASE("dragonflies with few or many groups fit on the page") {
  check_texts(cluster_schematic(64, "DRAGONFLY_1D", "1,1;4,1;16"),
              {"1 group", "Group 0: 64 nodes"});
  check_texts(cluster_schematic(64, "DRAGONFLY_1D", "64,1;1,1;1"), {"... 29 more", "1 switch"});
  check_texts(cluster_schematic(400, "DRAGONFLY_PLUS", "200,2;2,2,3;1"),
              {"... 165 more", "3 links from each leaf to each spine:"});
  check_texts(cluster_schematic(72, "DRAGONFLY_PLUS", "2,4;3,1,1;30x1,20x1,10x1,12x1,0x2"),
              {"Cell 0: 60 nodes", "10 to 30 nodes per leaf switch", "4 global links each"});
}

TEST_CASE("a HyperX is drawn with one row of switches per dimension") {
  const auto svg = cluster_schematic(16 * 8 * 2 * 4, "HYPERX", "16,8,2;1,2,3;4",
                                     "<prop id='link/dimension2/latency' value='2us'/>");
  check_texts(svg, {"HyperX of 16 x 8 x 2 switches: 1024 nodes x 8 cores",
                    "dimension 1: 16 switches", "1 link between every two: 1 GB/s, 1.00 us",
                    "dimension 2: 8 switches", "2 links between every two: 1 GB/s, 2.00 us",
                    "dimension 3: 2 switches", "256 switches", "4 nodes per switch", "1024 nodes"});
  // Of 16 switches eight are shown, and of 8 all: 28 links between every two in each case.
  CHECK(count_of(svg, "Q") == 56 + 1);
  check_texts(cluster_schematic(60, "HYPERX", "4,3;1,1;6x8,3x4"),
              {"8 switches with 6 nodes, 4 with 3", "8 switches", "4 switches"});
  cluster_schematic(1 << 12, "HYPERX", "2,2,2,2,2,2,2,2,2,2,2,2;1,1,1,1,1,1,1,1,1,1,1,1;1");
}

TEST_CASE("a Tofu network is drawn with rings of units, and the nodes of one") {
  const auto svg = cluster_schematic(24 * 3 * 2 * 12, "TOFU", "24,3,2,2,3,2");
  check_texts(svg, {"Tofu of 24 x 3 x 2 units with 2 x 3 x 2 nodes each: 1728 nodes x 8 cores",
                    "axis X: 24 units, a ring", "... 16 more", "axis Z: 2 units",
                    "A unit: 12 nodes", "axis B: 3 nodes, a ring"});
  CHECK(count_of(svg, "<circle") == 12);
  CHECK(boxes_of(svg, part_color).size() == 8 + 3 + 2);
  check_texts(
      cluster_schematic(192, "TOFU", "4,2,2,2,3,2", "<prop id='torus/dimensions' value='8x6x4'/>"),
      {"Tofu of 4 x 2 x 2 units with 2 x 3 x 2 nodes each, a job of 8 x 6 x 4: 192 nodes x "
       "8 cores"});
}

TEST_CASE("nodes with several NICs are drawn with their leaf switches") {
  const auto pod = catalog_schematic("h100-pod");
  check_texts(pod, {"fat tree of 2 levels with 8 rails, each with leaf switches of its own: 128 "
                    "nodes x 112 cores",
                    "One of 4 groups: 32 nodes under the same 8 leaf switches", "rail 0", "rail 7",
                    "1024 links of 49 GB/s, 250 ns", "8 NICs per node", "8 NICs, 4 per socket",
                    "not oversubscribed", "node 0", "node 31", "56 cores"});
  // Every NIC of the three nodes in detail has a link.
  CHECK(count_of(pod, "<title>NIC ") == 24);
  CHECK(count_of(pod, "stroke-opacity=\"0.7\"") == 24);
  check_texts(catalog_schematic("roce"),
              {"One of 192 groups: 2 nodes under one leaf switch", "+189", "18 switches"});
}

TEST_CASE("rails with networks of their own are drawn as one box per rail") {
  const std::string rails = "<prop id='topology/rails' value='4'/>";
  const auto tree = cluster_schematic(64, "FAT_TREE", "3;4,4,4;1,2,2;1,1,1", rails);
  check_texts(tree,
              {"fat tree of 3 levels with 4 rails, each with a network of its own: 64 nodes x "
               "8 cores",
               "4 per rail", "8 per rail", "other groups",
               "One of 16 groups: 4 nodes under the same 4 leaf switches"});
  // Small machines, too.
  check_texts(cluster_schematic(6, "", "", rails),
              {"6 nodes under the same 4 leaf switches", "4 switches"});
  cluster_schematic(32, "", "", "<prop id='topology/rails' value='32'/>");
}

TEST_CASE("NICs whose leaf switch has nodes in part are drawn with all their leaf switches") {
  cluster_schematic(6, "FAT_TREE", "2;12,4;1,2;1,1",
                    "<prop id='topology/rails' value='8'/>"
                    "<prop id='topology/rail_order' value='node'/>");
}
