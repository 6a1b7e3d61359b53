// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/link_kinds.hpp"

#include <doctest/doctest.h>

#include "platforms/reader.hpp"
#include "tests/support/draw.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

platforms::Machine machine_with(const std::string& zone) {
  return platforms::read_machine(
             "<?xml version='1.0'?>\n"
             "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
             "<platform version=\"4.1\">\n" +
                 zone + "</platform>",
             "m.xml")
      .value();
}

// Clusters of different speeds, each of which has a range of equal links.
std::string clusters(int count) {
  std::string zone = "<zone id=\"all\" routing=\"Full\">\n";
  for (int i = 0; i < count; ++i)
    zone += fmt::format(
        "<cluster id=\"c{0}\" prefix=\"c{0}n\" suffix=\"\" radical=\"0-69\" speed=\"1Gf\" "
        "bw=\"{1}MBps\" lat=\"1us\" router_id=\"r{0}\"/>\n",
        i, 100 + i);
  zone += "<link id=\"wan\" bandwidth=\"7MBps\" latency=\"1ms\"/>\n";
  for (int from = 0; from < count; ++from)
    for (int to = from + 1; to < count; ++to)
      zone += fmt::format(
          "<zoneRoute src=\"c{0}\" dst=\"c{1}\" gw_src=\"r{0}\" gw_dst=\"r{1}\">"
          "<link_ctn id=\"wan\"/></zoneRoute>\n",
          from, to);
  return zone + "</zone>\n";
}

}  // namespace

TEST_CASE("the kind of a link does not depend on the links looked up before") {
  for (const int count : {1, 3, 12}) {
    CAPTURE(count);
    const platforms::Machine machine = machine_with(clusters(count));
    const platforms::Placement placement{.host_of = {0, 1}, .nodes = 2, .ppn = 1};
    const platforms::JobLinks links(machine, placement);
    engines::LinkKinds kinds(links);
    Draw draw(static_cast<unsigned>(count));
    for (int i = 0; i < 5000; ++i) {
      const auto id = static_cast<platforms::LinkId>(draw.below(links.count()));
      REQUIRE(kinds.of(id) == links.link(id));
    }
  }
}
