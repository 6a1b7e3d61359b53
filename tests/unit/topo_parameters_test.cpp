// SPDX-License-Identifier: BSD-3-Clause
// Clusters with a topology: what their attributes create, and what is rejected.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "platforms/reader.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/platform_text.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

std::string shaped(const std::string& topology, const std::string& parameters,
                   const std::string& radical, const std::string& more = "") {
  return fmt::format(
      "<platform version='4.1'>\n<cluster id='c' prefix='h' radical='{}' bw='1GBps' lat='1us' {} "
      "topology='{}'\ntopo_parameters='{}'/></platform>",
      radical, more, topology, parameters);
}

struct Rejected {
  std::string topology;
  std::string parameters;
  std::string radical;
  std::string message;
  std::string hint;  // a part of it
};

void check_rejected(const std::vector<Rejected>& cases) {
  for (const auto& c : cases) {
    CAPTURE(c.parameters);
    const auto errors = bad(shaped(c.topology, c.parameters, c.radical));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].message == "topo_parameters: " + c.message);
    CHECK(errors[0].line == 3);
    CHECK(errors[0].column == 18);
    CHECK(errors[0].hint.find(c.hint) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("a fat tree, a torus and a dragonfly are read") {
  struct Case {
    std::string topology;
    std::string parameters;
    std::string radical;
    std::string kind;
    LinkId links;
  };
  const std::vector<Case> cases = {
      {"FAT_TREE", "2;4,4;1,2;1,2", "0-15", "fat tree", 2 * (16 + 16)},
      {"FAT_TREE", " 1; 4 ;1 ; 1", "0,2,4,6", "fat tree", 8},
      {"TORUS", "3,2,2", "0-11", "torus", 2 * 36},
      {"DRAGONFLY", "3,4;4,3;5,1;2", "0-119", "dragonfly", 2 * (120 + 120 + 90 + 3)}};
  for (const auto& c : cases) {
    CAPTURE(c.parameters);
    const auto machine = good(shaped(c.topology, c.parameters, c.radical, "core='6'"));
    CHECK(machine.topology->kind() == c.kind);
    CHECK(machine.topology->link_count() == c.links);
    CHECK(machine.cores_per_host == 6);
    CHECK(machine.link(0).bandwidth_Bps == 1e9);
    const auto changed = good(shaped(c.topology, c.parameters, c.radical, "limiter_link='1GBps'"),
                              {{"link/bandwidth", "2GBps"}, {"link/latency", "3us"}});
    CHECK(changed.link(0).bandwidth_Bps == 2e9);
    CHECK(changed.link(0).latency_s == tests::exactly(3e-6));
    CHECK(changed.link(c.links).bandwidth_Bps == 1e9);
  }
}

TEST_CASE("fat pipes are read as shared links, with a warning") {
  for (const std::string topology : {"TORUS", "FLAT"}) {
    const auto machine =
        good(shaped(topology, topology == "FLAT" ? "" : "4", "0-3", "sharing_policy='FATPIPE'"));
    CHECK(machine.topology->link_count() == 4);
    CHECK(machine.link(0).sharing == LinkSharing::shared);
    REQUIRE_FALSE(machine.warnings.empty());
    CHECK(machine.warnings.back().starts_with("dir/my.xml: sharing_policy FATPIPE"));
  }
}

TEST_CASE("invalid parameters of a fat tree are rejected, with valid ones as a hint") {
  check_rejected(
      {{"FAT_TREE", "2;4,4;1,2", "0-15", "3 field(s), but a fat tree has 4", "2;4,4;1,2;1,2"},
       {"FAT_TREE", "", "0-15", "1 field(s), but a fat tree has 4", ""},
       {"FAT_TREE", "2;4;1,2;1,2", "0-3", "2 level(s), but 1 number(s) in '4'", "CHILDREN"},
       {"FAT_TREE", "2;4,4;1,2;1,2,3", "0-15", "2 level(s), but 3 number(s) in '1,2,3'", ""},
       {"FAT_TREE", "x;4;1;1", "0-3",
        "invalid number 'x': expected an integer from 1 to 2147483647", ""},
       {"FAT_TREE", "2;4,0;1,2;1,2", "0-15",
        "invalid number '0': expected an integer from 1 to 2147483647", ""},
       {"FAT_TREE", "1;4;-1;1", "0-3",
        "invalid number '-1': expected an integer from 1 to 2147483647", ""},
       {"FAT_TREE", "1;4;1;2147483648", "0-3",
        "invalid number '2147483648': expected an integer from 1 to 2147483647", ""},
       {"FAT_TREE", "33;1;1;1", "0-3", "33 levels: at most 32 are supported", ""},
       {"FAT_TREE", "3;4,4,4;1,1,1;1,1,1", "0-59",
        "4 x 4 x 4 yields 64 nodes, but the radical has 60",
        "radical=\"0-63\" would fit, or sizes with product 60"},
       {"FAT_TREE", "2;1000000,1000000;1,1;1,1", "0-3",
        "1000000 x 1000000 yields more than 16777216 nodes", "the limit of a cluster"},
       {"FAT_TREE", "2;2,2;1000000,1000000;1,1", "0-3", "more than 2147483648 links", ""},
       {"FAT_TREE", "1;4;2147483647;2147483647", "0-3", "more than 2147483648 links", ""}});
}

TEST_CASE("invalid parameters of a torus are rejected, with valid ones as a hint") {
  check_rejected(
      {{"TORUS", "", "0-3", "invalid number '': expected an integer from 1 to 2147483647",
        "\"4,4,2\""},
       {"TORUS", "2,2,", "0-3", "invalid number '': expected an integer from 1 to 2147483647", ""},
       {"TORUS", "2;2", "0-3", "invalid number '2;2': expected an integer from 1 to 2147483647",
        ""},
       {"TORUS", "4,4,4", "0-59", "4 x 4 x 4 yields 64 nodes, but the radical has 60", "0-63"},
       {"TORUS", "1000000,1000000,1000000,1000000", "0-3",
        "1000000 x 1000000 x 1000000 x 1000000 yields more than 16777216 nodes", ""}});
  std::string ones = "1";
  for (int i = 0; i < 32; ++i) ones += ",1";
  check_rejected(
      {{"TORUS", ones, "0", "33 dimensions: at most 32 are supported", ""},
       {"TORUS", std::string(1'000'000, ','), "0", "longer than 4096 characters", ""},
       {"FAT_TREE", std::string(1'000'000, ';'), "0", "longer than 4096 characters", ""}});
}

TEST_CASE("invalid parameters of a dragonfly are rejected, with valid ones as a hint") {
  check_rejected(
      {{"DRAGONFLY", "3,4;4,3;5,1", "0-59", "3 field(s), but a dragonfly has 4", "3,4;4,3;5,1;2"},
       {"DRAGONFLY", "3;4,3;5,1;2", "0-119", "invalid pair '3': expected COUNT,LINKS", ""},
       {"DRAGONFLY", "3,4;4,3,2;5,1;2", "0-119", "invalid pair '4,3,2': expected COUNT,LINKS", ""},
       {"DRAGONFLY", "3,4;4,3;5,0;2", "0-119",
        "invalid number '0': expected an integer from 1 to 2147483647", ""},
       {"DRAGONFLY", "3,1;2,1;2,1;1", "0-11", "3 groups, but 2 router(s) in a chassis", "router n"},
       {"DRAGONFLY", "3,4;4,3;5,1;2", "0-118",
        "3 x 4 x 5 x 2 yields 120 nodes, but the radical has 119", "0-119"},
       {"DRAGONFLY", "1,1;1,1;100000,1;1", "0-99999", "more than 2147483648 links", ""}});
}

TEST_CASE("attributes that do not fit the topology are rejected") {
  CHECK(bad("<platform version='4.1'><cluster id='c' radical='0-3' bw='1' lat='0' "
            "topology='TORUS'/></platform>")[0]
            .message == "a torus needs topo_parameters");
  const auto backbone = bad(shaped("TORUS", "4", "0-3", "bb_bw='1GBps' bb_lat='1us'"));
  REQUIRE(backbone.size() == 2);
  CHECK(backbone[0].message == "bb_bw: a torus has no backbone");
  CHECK(
      bad(shaped("DRAGONFLY", "1,1;1,1;1,1;4", "0-3"), {{"backbone/bandwidth", "1"}})[0].message ==
      "backbone/bandwidth: a dragonfly has no backbone");
  const auto topology = bad(shaped("FATTREE", "1;4;1;1", "0-3"));
  REQUIRE(topology.size() == 1);
  CHECK(topology[0].hint == "did you mean 'FAT_TREE'?");
  // An invalid radical is reported without further errors.
  CHECK(bad(shaped("TORUS", "4", "0-x")).size() == 1);
}

TEST_CASE("a torus of the maximum number of hosts is read at once") {
  const auto machine = good(shaped("TORUS", "256,256,256", "0-16777215"));
  CHECK(machine.topology->find_host("h16777215") == HostId{16'777'215});
  CHECK(machine.path(0, 1).latency_s == tests::exactly(1e-6));
}
