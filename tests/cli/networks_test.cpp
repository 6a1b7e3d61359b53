// SPDX-License-Identifier: BSD-3-Clause
// sim platform with the topologies that SimGrid does not know.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

std::string printed_by(Args args) {
  args.insert(args.begin(), "platform");
  return out_of(args);
}

struct Network {
  Args shape;  // the arguments of `new`
  std::string kind;
  int hosts = 0;
  int shortest = 0;  // paths between the first and the last host
  int detours = 0;
};

const std::vector<Network> networks{
    {{"dragonfly-plus", "--groups", "4", "--leaves", "2", "--spines", "3", "--global-links", "3",
      "--nodes-per-router", "2"},
     "dragonfly+",
     16,
     3,
     6},
    {{"dragonfly-1d", "--groups", "3", "--routers", "4", "--global-links", "4",
      "--nodes-per-router", "2"},
     "1D dragonfly",
     24,
     2,
     4},
    {{"hyperx", "--dims", "4x3", "--local-links", "2", "--nodes-per-router", "2"},
     "HyperX",
     24,
     8,
     3},
    {{"tofu", "--dims", "2x1x1"}, "Tofu", 24, 48, 0}};

}  // namespace

TEST_CASE("networks that SimGrid does not know are written, shown, checked and drawn") {
  const TemporaryFolder folder;
  const auto file = folder.file("net.xml");
  for (const auto& each : networks) {
    CAPTURE(each.kind);
    Args made{"new"};
    made.insert(made.end(), each.shape.begin(), each.shape.end());
    made.insert(made.end(), {"-o", file, "-q"});
    printed_by(made);
    const Json shown = Json::parse(printed_by({"show", file, "--format", "json"}));
    CHECK(shown["hosts"] == each.hosts);
    CHECK(shown["kind"] == each.kind);
    CHECK(shown["diameter"]["all_pairs"] == true);
    const auto checked = printed_by({"check", file, "-q"});
    CHECK(checked.find("SimGrid does not support the topology " + each.kind) != std::string::npos);
    CHECK(printed_by({"draw", file}).find("</svg>") != std::string::npos);
  }
}

TEST_CASE("all paths between two nodes are counted, and the first are listed") {
  const TemporaryFolder folder;
  const auto file = folder.file("net.xml");
  for (const auto& each : networks) {
    CAPTURE(each.kind);
    Args made{"new"};
    made.insert(made.end(), each.shape.begin(), each.shape.end());
    made.insert(made.end(), {"-o", file, "-q"});
    printed_by(made);
    const auto last = std::to_string(each.hosts - 1);
    const Json paths = Json::parse(
        printed_by({"routes", file, "0", last, "--all-paths", "-q", "--format", "json"}));
    CHECK(paths["shortest_paths"] == each.shortest);
    CHECK(paths["detours"] == each.detours);
    CHECK(paths["routes"].size() == 1u + std::min(each.shortest, 8) + std::min(each.detours, 8));
    const auto text = printed_by({"routes", file, "0", last, "--all-paths", "-q"});
    CHECK(text.find(fmt::format("shortest path 1 of {}", each.shortest)) != std::string::npos);
  }
}

TEST_CASE("rails and levels of links are not compared with SimGrid") {
  const TemporaryFolder folder;
  const auto file = [&](const char* prop) {
    return folder.write("prop.xml",
                        fmt::format("<platform version='4.1'><cluster id='c' prefix='n' suffix='' "
                                    "radical='0-15' speed='1Gf' bw='1GBps' lat='1us' "
                                    "topology='FAT_TREE' topo_parameters='2;4,4;1,2;1,1'>"
                                    "<prop id='{}' value='2'/></cluster></platform>",
                                    prop));
  };
  CHECK(printed_by({"check", file("topology/rails"), "-q"}).find("not support topology/rails") !=
        std::string::npos);
  CHECK(printed_by({"check", file("link/level2/latency"), "-q"})
            .find("not support link/level2/latency") != std::string::npos);
}
