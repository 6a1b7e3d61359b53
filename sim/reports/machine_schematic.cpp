// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/machine_schematic.hpp"

#include "platforms/topology_description.hpp"
#include "sim/reports/schematics/schematics.hpp"

namespace tutti::reports {

std::optional<std::string> machine_schematic(const platforms::Machine& machine) {
  const auto described = machine.topology->describe();
  const auto& drawing = described.schematic;
  const auto graph = machine.topology->graph();
  if (const auto* rings = std::get_if<platforms::RingsDrawing>(&drawing))
    return schematics::rings_picture(machine, graph, *rings);
  if (const auto* meshes = std::get_if<platforms::MeshesDrawing>(&drawing))
    return schematics::meshes_picture(machine, graph, *meshes);
  if (const auto* groups = std::get_if<platforms::GroupsDrawing>(&drawing))
    return schematics::groups_picture(machine, graph, *groups);
  const schematics::Levels levels(*machine.topology, graph);
  if (!levels.is_tree()) return std::nullopt;
  return machine.topology->rails() > 1 ? schematics::rails_picture(machine, graph, levels)
                                       : schematics::levels_picture(machine, graph, levels);
}

}  // namespace tutti::reports
