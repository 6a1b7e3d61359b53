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
    {{"tofu", "--dims", "2x1x1"}, "Tofu", 24, 16, 4}};

void write(const Args& shape, const std::string& file) {
  Args made{"new"};
  made.insert(made.end(), shape.begin(), shape.end());
  made.insert(made.end(), {"-o", file, "-q"});
  printed_by(made);
}

}  // namespace

TEST_CASE("networks that SimGrid does not know are written, shown, checked and drawn") {
  const TemporaryFolder folder;
  const auto file = folder.file("net.xml");
  for (const auto& each : networks) {
    CAPTURE(each.kind);
    write(each.shape, file);
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
    write(each.shape, file);
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

TEST_CASE("sim platform new writes nodes with several NICs") {
  const TemporaryFolder folder;
  const auto file = folder.file("net.xml");
  struct Written {
    Args shape;
    std::string kind, parameters, description;
  };
  for (const auto& each : std::vector<Written>{
           {{"flat", "--nodes", "6", "--rails", "2"},
            "flat cluster with 2 rails (planes)",
            "",
            "6 nodes on one switch, 2 NICs per node (planes)"},
           {{"fat-tree", "--nodes", "24", "--rails", "2"},
            "fat tree with 2 rails (planes)",
            "2;12,2",
            ""},
           {{"fat-tree", "--nodes", "24", "--rails", "2", "--rail-order", "node"},
            "fat tree with 2 rails (node)",
            "2;16,3",
            ""},
           // A leaf switch of 16 ports would have NICs of two numbers.
           {{"fat-tree", "--nodes", "24", "--rails", "2", "--rail-order", "leaves"},
            "fat tree with 2 rails (leaves)",
            "2;12,4",
            "2 NICs per node (leaves)"}}) {
    CAPTURE(each.kind);
    Args made{"platform", "new"};
    made.insert(made.end(), each.shape.begin(), each.shape.end());
    made.insert(made.end(), {"--like", "crill", "-o", file});
    REQUIRE(run_sim(made).exit_code == 0);
    const std::string xml = read_file(file);
    CHECK(xml.find(each.description) != std::string::npos);
    const Json shown = Json::parse(printed_by({"show", file, "--format", "json"}));
    CHECK(shown["hosts"] == std::stoi(each.shape[2]));
    CHECK(shown["kind"] == each.kind);
    if (!each.parameters.empty())
      CHECK(xml.find("topo_parameters=\"" + each.parameters + ";") != std::string::npos);
  }
}

TEST_CASE("invalid NICs of a new machine are rejected with their option and a hint") {
  const auto rejects = [](Args args, const std::string& error, const std::string& hint) {
    args.insert(args.begin(), {"platform", "new"});
    args.insert(args.end(), {"-o", "-"});
    const auto ended = run_sim(args);
    CHECK(ended.exit_code == 2);
    CHECK_MESSAGE(ended.err.find(error) != std::string::npos, ended.err);
    CHECK_MESSAGE(ended.err.find(hint) != std::string::npos, ended.err);
  };
  rejects({"flat", "--nodes", "4", "--rail-order", "node"},
          "--rail-order: the nodes have a single NIC", "--rails COUNT");
  rejects({"flat", "--nodes", "4", "--rails", "2", "--rail-order", "leafs"}, "leafs", "leaves");
  rejects({"torus", "--dims", "4x4", "--rails", "2"}, "--rails: does not apply to a torus",
          "--dims");
  rejects({"flat", "--nodes", "16000000", "--rails", "2"},
          "--rails: 16000000 nodes with 2 NICs each are too many", "16777216 NICs");
  rejects({"fat-tree", "--nodes", "23", "--rails", "2", "--rail-order", "leaves"},
          "46 NICs do not fill 2 levels of switches", "22 and 24 nodes");
}

TEST_CASE("keys that change links are not compared with SimGrid") {
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
  CHECK(printed_by({"check", file("link/latency"), "-q"}).find("not support link/latency") !=
        std::string::npos);
}

TEST_CASE("a cluster in a zone with a topology that SimGrid does not know: the error explains it") {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "zones.xml",
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version='4.1'><zone id='z' routing='Full'>"
      "<cluster id='a' prefix='a' suffix='' radical='0-7' speed='1Gf' bw='1GBps' lat='1us' "
      "topology='HYPERX' topo_parameters='2,2;1,1;2'/>"
      "<cluster id='b' prefix='b' suffix='' radical='0-1' speed='1Gf' bw='1GBps' lat='1us'/>"
      "<link id='l' bandwidth='1GBps' latency='1us'/>"
      "<zoneRoute src='a' dst='b' gw_src='a0' gw_dst='b0'><link_ctn id='l'/></zoneRoute>"
      "</zone></platform>");
  const Ended ended = run_sim({"platform", "check", file, "-q"});
  CHECK(ended.exit_code != 0);
  CHECK(ended.err.find("SimGrid rejects the file") != std::string::npos);
  CHECK(ended.err.find("has only the topologies FLAT, FAT_TREE, TORUS and DRAGONFLY") !=
        std::string::npos);
}
