// SPDX-License-Identifier: BSD-3-Clause
// Invalid and hostile platform files of zones: clear errors with places, quickly.
#include <doctest/doctest.h>

#include "tests/support/platform_text.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

std::string file(const std::string& content) {
  return "<platform version='4.1'>\n" + content + "</platform>\n";
}

// Two hosts, a router and three links; line 3 is free.
std::string zone(const std::string& line_3, const std::string& routing = "Full") {
  return file("<zone id='z' routing='" + routing +
              "'><host id='a'/><host id='b'/><link id='l' bandwidth='1' latency='0'/>"
              "<link id='s' bandwidth='1' latency='0' sharing_policy='SPLITDUPLEX'/>\n" +
              line_3 + "\n</zone>");
}

// Two zones of one host each; line 4 is free.
std::string zones(const std::string& line_4, const std::string& routing = "Full") {
  return file("<zone id='z' routing='" + routing +
              "'><zone id='A' routing='Full'><host id='a'/></zone>\n"
              "<zone id='B' routing='Full'><host id='b'/></zone><link id='l' bandwidth='1' "
              "latency='0'/>\n" +
              line_4 + "\n</zone>");
}

struct Case {
  std::string text;
  int line;
  int column;
  std::string message;
  std::string hint;
};

void check(const std::vector<Case>& cases) {
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const auto errors = bad(c.text);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].line == c.line);
    CHECK(errors[0].column == c.column);
    CHECK(errors[0].message == c.message);
    CHECK(errors[0].hint == c.hint);
  }
}

const std::string ab = "<route src='a' dst='b'><link_ctn id='l'/></route>";
const std::string AB =
    "<zoneRoute src='A' dst='B' gw_src='a' gw_dst='b'><link_ctn id='l'/></zoneRoute>";

}  // namespace

TEST_CASE("the valid parts of these tests are valid") {
  CHECK(good(zone(ab)).host_count() == 2);
  CHECK(good(zones(AB)).host_count() == 2);
}

TEST_CASE("invalid routes are rejected at their place") {
  check({
      {zone(""), 2, 1, "no route from host 'a' to host 'b'",
       "zone 'z' needs routes between all its members"},
      {zone("", "Floyd"), 2, 1, "no route from host 'a' to host 'b'",
       "zone 'z' needs routes between all its members"},
      {zone("", "None"), 2, 1, "no route from host 'a' to host 'b'",
       "zone 'z' needs routes between all its members"},
      {zone("<route src='a' dst='b' symmetrical='NO'><link_ctn id='l'/></route>", "Dijkstra"), 2, 1,
       "no route from host 'b' to host 'a'", "zone 'z' needs routes between all its members"},
      {zone(ab + ab), 3, 50, "a second route between 'a' and 'b'",
       "a route serves both directions unless it has symmetrical=\"NO\""},
      {zone("<route src='a' dst='c'><link_ctn id='l'/></route>"), 3, 21,
       "dst: there is no host or router 'c' in zone 'z'", ""},
      {zone("<route src='a' dst='b'/>"), 3, 1, "a route without links", ""},
      {zone("<route src='a' dst='b'><link_ctn id='link'/></route>"), 3, 38,
       "id: there is no link 'link'",
       "links are defined by <link>; those of a <cluster> cannot be part of a route"},
      {zone("<route src='a' dst='b'><link_ctn id='s'/></route>"), 3, 38,
       "id: 's' is two links, one per direction", "add direction=\"UP\" or direction=\"DOWN\""},
      {zone("<route src='a' dst='b'><link_ctn id='l' direction='UP'/></route>"), 3, 52,
       "direction: link 'l' is one link for both directions",
       "omit the direction, or make the link SPLITDUPLEX"},
      {zone("<route src='a' dst='b'><link_ctn id='s' direction='up'/></route>"), 3, 52,
       "direction: invalid direction 'up': expected UP, DOWN or NONE", ""},
      {zone("<route src='a' dst='b' symmetrical='maybe'><link_ctn id='l'/></route>"), 3, 37,
       "symmetrical: invalid value 'maybe': expected YES or NO", ""},
      {zone(ab, "None"), 3, 1, "a route in a zone with routing None",
       "routing Full uses the routes of the file"},
      {zone(ab, "Cluster"), 3, 1, "a route between members of a zone with routing Cluster",
       "its routes follow from <host_link> and <backbone>; routing Full uses the routes of the "
       "file"},
  });
}

TEST_CASE("invalid routes between zones are rejected at their place") {
  const auto wrong = [](const std::string& attributes) {
    return zones("<zoneRoute " + attributes + "><link_ctn id='l'/></zoneRoute>");
  };
  check({
      {zones(""), 2, 1, "no route from host 'a' of zone 'A' to host 'b' of zone 'B'",
       "zone 'z' needs routes between all its members"},
      {wrong("src='A' dst='C' gw_src='a' gw_dst='b'"), 4, 25,
       "dst: there is no zone 'C' in zone 'z'", ""},
      {wrong("src='z' dst='B' gw_src='a' gw_dst='b'"), 4, 17,
       "src: there is no zone 'z' in zone 'z'", "it is the outermost zone"},
      {wrong("src='A' dst='B' gw_src='b' gw_dst='b'"), 4, 36,
       "gw_src: there is no host or router 'b' in zone 'A'", "it is in zone 'B'"},
      {wrong("src='A' dst='A' gw_src='a' gw_dst='a'"), 4, 25, "dst: a route from a zone to itself",
       ""},
      {wrong("src='A' dst='B' gw_src='a'"), 4, 1, "<zoneRoute> has no attribute 'gw_dst'",
       "it requires: src, dst, gw_src, gw_dst"},
      {zones(AB, "Cluster"), 4, 1, "a route between members of a zone with routing Cluster",
       "its routes follow from <host_link> and <backbone>; routing Full uses the routes of the "
       "file"},
  });
}

TEST_CASE("names must be unique") {
  const std::string unique = "names of hosts and routers must be unique";
  const std::string cluster = "<cluster id='c' prefix='c' suffix='' radical='0-3' bw='1' lat='0'/>";
  check({
      {zone("<host id='a'/>"), 3, 11, "a second host 'a'", unique},
      {zone("<router id='a'/>"), 3, 13, "a second router 'a'", unique},
      {zone("<link id='l' bandwidth='1'/>"), 3, 11, "a second link 'l'", ""},
      {zone("<link id='s_UP' bandwidth='1'/>"), 3, 11, "a second link 's_UP'", ""},
      {file("<zone id='z' routing='Full'>" + cluster + "\n<zone id='c' routing='Full'/></zone>"), 3,
       11, "a second zone 'c'", ""},
      {file("<zone id='z' routing='Full'>" + cluster +
            "\n<cluster id='d' prefix='c' suffix='' radical='3-5' bw='1' lat='0'/></zone>"),
       3, 1, "a second host 'c3'", unique},
  });
}

TEST_CASE("the contents of a zone are checked") {
  const std::string either =
      "a zone contains either zones and their <zoneRoute>s, or hosts, routers and their <route>s";
  check({
      {zone("<zone id='y' routing='Full'/>"), 3, 1, "<zone> in a zone that has <host>", either},
      {zones("<host id='c'/>"), 4, 1, "<host> in a zone that has <zone>", either},
      {zone(ab + "<host id='c'/>"), 3, 50, "<host> after a route",
       "the routes of a zone come last"},
      {zone(ab, "Flyod"), 2, 23, "unsupported routing 'Flyod'", "did you mean 'Floyd'?"},
      {zone("<peer id='p'/>"), 3, 1, "<peer> is not supported in <zone>",
       "platforms/README.md lists the supported elements"},
      {zone("<host id='c'><mount id='d'/></host>"), 3, 14, "<mount> is not supported in <host>",
       "platforms/README.md lists the supported elements"},
      {zone("<host id='c'><disk id='d' read_bw='1'/></host>"), 3, 14,
       "<disk> has no attribute 'write_bw'", "it requires: read_bw, write_bw"},
      {zone("<cabinet id='c' radical='0-1' bw='1' lat='0'/>"), 3, 1,
       "<cabinet> in a zone that is not a star of hosts",
       "its hosts belong to a zone with routing Cluster"},
      {zone("<host id='c' state_file='f'/>"), 3, 26, "state_file: not supported",
       "hosts and links cannot change over time"},
      {zone("<host id='c' core='0'/>"), 3, 20, "core: 0 cores: expected 1 to 1000000", ""},
      {zone("<host id='c'><prop id='mpi/ppn' value='1'/></host>"), 3, 24,
       "'mpi/ppn' has no meaning in <host>",
       "it applies to the whole machine: set it in <config> or the outermost zone"},
      {zone("<link id='w' bandwidth='1' sharing_policy='WIFI'/>"), 3, 44,
       "sharing_policy: unknown policy 'WIFI'", "policies: SHARED, SPLITDUPLEX, FATPIPE"},
      {zone("<backbone id='w' bandwidth='1'/>"), 3, 1,
       "<backbone> in a zone that is not a star of hosts",
       "it is for the hosts of a zone with routing Cluster"},
      {zone("<host_link id='a' up='l' down='l'/>"), 3, 1,
       "<host_link> in a zone that is not a star of hosts",
       "it is for the hosts of a zone with routing Cluster"},
      {zone("<host_link id='a' up='s' down='s_DOWN'/>", "Cluster"), 3, 23,
       "up: 's' is two links, one per direction", "name one: 's_UP' or 's_DOWN'"},
      {zone("", "Cluster"), 2, 1, "no route from host 'a' to host 'b'",
       "zone 'z' needs routes between all its members"},
      {file("<zone id='z' routing='Full'/>"), 2, 1, "the platform has no hosts",
       "hosts belong in a <zone> or a <cluster>"},
  });
}

TEST_CASE("settings of a cluster's links are rejected if there are zones") {
  const auto errors = bad(zone(ab), {{"link/latency", "1us"}});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].message == "link/latency: this platform is not a single <cluster>");
  CHECK(errors[0].hint == "the elements of the file define its links");
}

TEST_CASE("zones that double a route at each level are rejected") {
  std::string xml = "<zone id='x' routing='Full'><host id='h'/></zone>";
  std::string gateway = "h";
  for (int i = 0; i < 40; ++i) {
    const auto n = std::to_string(i);
    xml = "<zone id='z" + n + "' routing='Full'>" + xml + "<zone id='y" + n +
          "' routing='Full'><host id='h" + n + "'/></zone><link id='l" + n +
          "' bandwidth='1'/><zoneRoute src='" + (i == 0 ? "x" : "z" + std::to_string(i - 1)) +
          "' dst='y" + n + "' gw_src='" + gateway + "' gw_dst='h" + n + "'><link_ctn id='l" + n +
          "'/></zoneRoute></zone>";
    gateway = "h" + n;
  }
  const auto errors = bad(file(xml));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].message.ends_with("may have more than 10000000 links"));
}

TEST_CASE("thousands of zones and links are read quickly") {
  std::string xml = "<zone id='z' routing='Dijkstra'>";
  std::string routes;
  for (int i = 0; i < 5000; ++i) {
    const auto n = std::to_string(i);
    xml += "<zone id='z" + n + "' routing='Full'><host id='h" + n + "'/></zone>";
    if (i > 0)
      routes += "<zoneRoute src='z" + n + "' dst='z0' gw_src='h" + n +
                "' gw_dst='h0'><link_ctn id='l'/></zoneRoute>";
  }
  const auto machine = good(file(xml + "<link id='l' bandwidth='1'/>" + routes + "</zone>"));
  std::vector<LinkId> links;
  machine.topology->route(1, 4999, links);
  CHECK(links == std::vector<LinkId>{0, 0});
}
