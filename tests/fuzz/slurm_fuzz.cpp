// SPDX-License-Identifier: BSD-3-Clause
// Any text is a topology of Slurm (topology.conf, what scontrol prints, topology.yaml), or is
// rejected with a line. A tree that is accepted has one top, and its zone is a platform with its
// nodes.
#include "platforms/reader.hpp"
#include "platforms/slurm/topology_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

constexpr std::size_t most_nodes = 200;

void check_zone(const SwitchTree& tree) {
  const auto xml = zone_xml(
      tree, {.id = "z", .cores = 1, .bandwidth_Bps = 1e9, .latency = "1us", .oversubscription = 2},
      "");
  const auto machine = read_machine("<platform version=\"4.1\">" + xml + "</platform>", "z.xml");
  // A node may have the name of a switch.
  if (fuzz::explained(machine))
    fuzz::must(machine->host_count() == tree.node_count(), "the platform has the nodes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tree = read_slurm_topology(fuzz::text_of(data, size), "t");
  if (!fuzz::explained(tree)) {
    fuzz::must(tree.error().line > 0, "errors have a line");
    return 0;
  }
  std::size_t tops = 0;
  for (const auto& each : tree->switches) tops += each.above ? 0 : 1;
  fuzz::must(tops == 1, "one switch connects all");
  (void)regular_shape(*tree, 2);
  (void)numbered_names(*tree);
  if (tree->node_count() > 0 && tree->node_count() + tree->switches.size() <= most_nodes)
    check_zone(*tree);
  return 0;
}
