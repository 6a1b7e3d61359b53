// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/machine_schematic.hpp"

#include "sim/reports/schematics/schematics.hpp"

namespace tutti::reports {

std::optional<std::string> machine_schematic(const platforms::Machine& machine) {
  const auto kind = machine.topology->kind();
  if (kind.ends_with("torus")) return schematics::rings_picture(machine);
  if (kind == "Tofu") return schematics::tofu_picture(machine);
  if (kind == "HyperX") return schematics::hyperx_picture(machine);
  if (kind == "dragonfly+" || kind == "1D dragonfly") return schematics::dragonfly_picture(machine);
  const auto graph = machine.topology->graph();
  const schematics::Levels levels(*machine.topology, graph);
  if (!levels.is_tree()) return std::nullopt;
  return machine.topology->rails() > 1 ? schematics::rails_picture(machine, graph, levels)
                                       : schematics::levels_picture(machine, graph, levels);
}

}  // namespace tutti::reports
