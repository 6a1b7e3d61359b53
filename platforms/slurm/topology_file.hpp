// SPDX-License-Identifier: BSD-3-Clause
// The network that Slurm knows: topology.conf of the plugins topology/tree (SwitchName) and
// topology/block (BlockName), what `scontrol show topology` prints, and topology.yaml.
#pragma once

#include "platforms/writer/switch_tree.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Reads a file as a tree of switches. Blocks are leaf switches below one switch. Switches with the
// same switches below them, such as redundant spines, count as one. LinkSpeed of a leaf switch is
// relative to the smallest one. Of several topologies of a topology.yaml, the default one is read,
// else the first. Errors have a line.
Result<SwitchTree> read_slurm_topology(std::string_view text, const std::string& file);

}  // namespace tutti::platforms
