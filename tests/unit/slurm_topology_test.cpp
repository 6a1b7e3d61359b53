// SPDX-License-Identifier: BSD-3-Clause
// Reads Slurm's topology files, and writes machines of them.
#include <doctest/doctest.h>

#include <string>

#include "platforms/reader.hpp"
#include "platforms/slurm/topology_file.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

// "top(s1[a1 a2] s2[a3 a4])".
std::string tree_text(const SwitchTree& tree, std::size_t at) {
  const auto& each = tree.switches[at];
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < tree.switches.size(); ++i)
    if (tree.switches[i].above == at) parts.push_back(tree_text(tree, i));
  return each.nodes.empty() ? fmt::format("{}({})", each.name, fmt::join(parts, " "))
                            : fmt::format("{}[{}]", each.name, fmt::join(each.nodes, " "));
}

std::string read(const std::string& text) {
  const auto tree = read_slurm_topology(text, "t");
  if (!tree) return fmt::format("t:{}: {}", tree.error().line, tree.error().message);
  for (std::size_t i = 0; i < tree->switches.size(); ++i)
    if (!tree->switches[i].above) return tree_text(*tree, i);
  return {};
}

const std::string two_leaves =
    "# ours\nSwitchName=s1 Nodes=a[1-2]\nSwitchName=s2 Nodes=a[3-4] LinkSpeed=2\n"
    "SwitchName=top Switches=s[1-2]\n";

}  // namespace

TEST_CASE("topology.conf of the tree plugin, and what scontrol shows") {
  CHECK(read(two_leaves) == "top(s1[a1 a2] s2[a3 a4])");
  CHECK(read("SwitchName=top Level=1 LinkSpeed=1 Nodes=a[1-4] Switches=s[1-2]\n"
             "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=a[1-2]\n"
             "SwitchName=s2 Level=0 LinkSpeed=1 Nodes=a[3-4]\n") == "top(s1[a1 a2] s2[a3 a4])");
  CHECK(read("switchname=s1 nodes=a1,b7\n") == "s1[a1 b7]");
  // Redundant spines count as one.
  CHECK(read(two_leaves + "SwitchName=top2 Switches=s[1-2]\n") == "top(s1[a1 a2] s2[a3 a4])");
  const auto tree = read_slurm_topology(two_leaves, "t").value();
  CHECK(tree.node_count() == 4);
  CHECK(tree.levels() == 2);
}

TEST_CASE("topology.conf: a line continues after a backslash, and comments end with their line") {
  const std::string whole = "t(s1[a1 a2] s2[a3 a4])";
  CHECK(read("SwitchName=s1 \\\n  Nodes=a[1-2]\nSwitchName=s2 Nodes=a[3-\\ \t\r\n4]\r\n"
             "SwitchName=t Switches=s1,\\\ns\\\n2\n") == whole);
  // A comment ends a line, with its backslash; an escaped backslash does not continue the line.
  CHECK(read("SwitchName=s1 Nodes=a[1-2] # and \\\nSwitchName=s2 Nodes=a[3-4] #\n#\\\n"
             "SwitchName=t Switches=s[1-2]\n") == whole);
  CHECK(read("SwitchName=s1 Comment=x\\\\\nNodes=a1\n") == "t:2: the name of a switch is missing");
  CHECK(read("SwitchName = s1 Nodes=\"a1\" linkspeed=9 LINKSPEED= 1\n") == "s1[a1]");
  CHECK(read("SwitchName=s1 Nodes=\"a1\n") == "t:1: expected KEY=VALUE");
  // Lines keep their numbers.
  CHECK(read("SwitchName=s1 \\\n\\\nNodes=a1\nSwitchName=t Nods=a\n") == "t:4: unknown key 'nods'");
  CHECK(read("SwitchName=s1 Nodes=a1 \\\n\nSwitchName=t Nods=a\n") == "t:3: unknown key 'nods'");
  CHECK(read("Include others.conf\n") == "t:1: other files are not included");
}

TEST_CASE("a name whose list is unreadable may occur again") {
  CHECK(read("SwitchName=s1 Nodes=a[1\nSwitchName=s1 Nodes=a2\n") == "t:1: missing ']' in 'a[1'");
  CHECK(read("BlockName=b Nodes=a[1\nBlockName=b Nodes=a2\nBlockName=b Nodes=a3\n") ==
        "t:1: missing ']' in 'a[1'");
  CHECK(read("- topology: t\n  tree:\n    switches:\n      - switch: s\n        nodes: a[1\n"
             "      - switch: s\n        nodes: a[2\n") == "t:4: missing ']' in 'a[1'");
  CHECK(read("SwitchName=s Switches=a[1\nSwitchName=s Switches=b\n") ==
        "t:2: 's' is defined twice, first in line 1");
}

TEST_CASE("a chain of switches ends at 64 levels") {
  const auto chain = [](int levels) {
    std::string text = "SwitchName=s0 Nodes=a1\n";
    for (int i = 1; i < levels; ++i) text += fmt::format("SwitchName=s{} Switches=s{}\n", i, i - 1);
    return text;
  };
  CHECK(read(chain(65)).starts_with("s64(s63("));
  CHECK(read(chain(66)) == "t:1: switch 's0' is more than 64 levels below the top");
  CHECK(read(chain(30'000)) == "t:1: switch 's0' is more than 64 levels below the top");
}

TEST_CASE("topology.conf of the block plugin") {
  CHECK(read("BlockName=b1 Nodes=a[1-2]\nBlockName=b2 Nodes=a[3-4]\nBlockSizes=2,4\n") ==
        "blocks(b1[a1 a2] b2[a3 a4])");
  CHECK(read("BlockName=b1 BlockIndex=0 Nodes=a[1-2] BlockSize=2\n") == "b1[a1 a2]");
}

TEST_CASE("topology.yaml") {
  const std::string tree =
      "---\n- topology: other\n  flat: true\n"
      "- topology: main # of all\n  cluster_default: true\n  tree:\n    switches:\n"
      "      - switch: top\n        children: s[1-2]\n"
      "      - switch: s1\n        nodes: \"a[1-2]\"\n      - switch: s2\n        nodes: a3\n";
  CHECK(read(tree) == "top(s1[a1 a2] s2[a3])");
  CHECK(read("- topology: b\n  block:\n    block_sizes:\n      - 2\n    blocks:\n"
             "      - block: b1\n        nodes: a1\n      - block: b2\n        nodes: a2\n") ==
        "blocks(b1[a1] b2[a2])");
  CHECK(read("- topology: x\n  flat: true\n") ==
        "t:2: the file has no topology with switches or blocks");
  CHECK(read("- topology: x\n  tree:\n    swiches:\n") == "t:3: unknown key 'swiches'");
  CHECK(read("- topology: x\n  nodes: a1\n") == "t:2: 'nodes' without a switch");
  CHECK(read("- topology: x\n  tree\n") == "t:2: expected KEY: VALUE");
}

TEST_CASE("bad topology files have a line and a hint") {
  CHECK(read("") == "t:1: the file has no switches");
  CHECK(read("SwitchName=s1 Nodes=a[1-\n") == "t:1: missing ']' in 'a[1-'");
  CHECK(read("SwitchName=s1\n") == "t:1: 's1' has neither nodes nor switches");
  CHECK(read("SwitchName=s1 Nodes=a1 Switches=s2\n") ==
        "t:1: switch 's1' has both switches and nodes");
  CHECK(read("SwitchName=s1 Nodes=a1\nSwitchName=s1 Nodes=a2\n") ==
        "t:2: 's1' is defined twice, first in line 1");
  CHECK(read("SwitchName=s1 Nodes=a1\nSwitchName=s2 Nodes=a1\nSwitchName=t Switches=s[1-2]\n") ==
        "t:2: node 'a1' is connected twice, first in line 1");
  CHECK(read("SwitchName=s1 Nodes=a1\nSwitchName=t Switches=s[1-2]\n") ==
        "t:2: unknown switch 's2'");
  CHECK(read("SwitchName=s1 Nodes=a1\nSwitchName=s2 Nodes=a2\n") ==
        "t:2: no switch connects 's1' and 's2'");
  CHECK(read("SwitchName=s1 Switches=s2\nSwitchName=s2 Switches=s1\n") ==
        "t:1: switch 's1' is below itself");
  CHECK(read("SwitchName=s1 Nodes=a1\nSwitchName=t Switches=s1\nSwitchName=u Switches=s1,v\n"
             "SwitchName=v Nodes=a2\n") == "t:3: switch 's1' is below 't', too");
  CHECK(read("SwitchNam=s1 Nodes=a1\n") == "t:1: unknown key 'switchnam'");
  CHECK(read("SwitchName=s1 Nodes=a1 LinkSpeed=0\n") == "t:1: invalid LinkSpeed '0'");
  CHECK(read("SwitchName\n") == "t:1: expected KEY=VALUE");
  const auto error = read_slurm_topology("SwitchNam=s1 Nodes=a1\n", "t").error();
  CHECK(error.hint == "did you mean 'switchname'?");
}

TEST_CASE("a zone of a tree has its nodes, and links of the capacity of the nodes below") {
  const auto tree = read_slurm_topology(two_leaves, "t").value();
  const auto xml = zone_xml(
      tree, {.id = "z", .cores = 3, .bandwidth_Bps = 1e9, .latency = "1us", .oversubscription = 2},
      "");
  const auto machine = read_machine("<platform version=\"4.1\">" + xml + "</platform>", "z.xml");
  REQUIRE(machine);
  CHECK(machine->host_count() == 4);
  CHECK(machine->cores_per_host == 3);
  CHECK(machine->topology->host_name(2) == "a3");
  std::vector<LinkId> links;
  machine->topology->route(0, 2, links);
  std::vector<double> rates;
  for (const auto id : links) rates.push_back(machine->topology->link(id).bandwidth_Bps);
  // a1, the uplinks of s1 and s2 (two nodes, 2:1), and a3, whose links have twice the speed.
  CHECK(rates == std::vector<double>{1e9, 1e9, 1e9, 2e9});
}

TEST_CASE("a regular tree is a fat tree, if its names are numbers") {
  const std::string regular =
      "SwitchName=s2 Nodes=a[5-8]\nSwitchName=s1 Nodes=a[1-4]\nSwitchName=t Switches=s[1-2]\n";
  const auto tree = read_slurm_topology(regular, "t").value();
  REQUIRE(regular_shape(tree, 2));
  CHECK(regular_shape(tree, 2)->parameters() == "2;4,2;1,2;1,1");
  CHECK(regular_shape(tree, 1)->parameters() == "2;4,2;1,4;1,1");
  const auto names = numbered_names(tree);
  REQUIRE(names);  // in the order of the switches above, not of the lines
  CHECK(names->prefix == "a");
  CHECK(names->first == 1);
  CHECK(names->last == 8);
  CHECK_FALSE(regular_shape(read_slurm_topology(two_leaves, "t").value(), 1));  // two speeds
  CHECK_FALSE(numbered_names(read_slurm_topology("SwitchName=s Nodes=a[01-02]\n", "t").value()));
  CHECK_FALSE(numbered_names(read_slurm_topology("SwitchName=s Nodes=a[1,3]\n", "t").value()));
}
