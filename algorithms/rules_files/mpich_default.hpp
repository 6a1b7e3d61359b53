// SPDX-License-Identifier: BSD-3-Clause
// The selection of MPICH 4.0 as ordered rules, the first of which applies, and their writing as a
// selection tree. The rules of blocking collectives are those of selection/rules/mpich-4.0.toml.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/rules_files/rules_file.hpp"

namespace tutti::algorithms::rules_files {

// The rule set of the version that reads selection trees.
inline constexpr std::string_view mpich_rule_set = "mpich-4.0";

// Conditions that are true or false, in the order in which a tree tests them: those of the
// communicator come first, for which csel.c's comparisons are exact.
enum class MpichFlag : unsigned char {
  procs_are_power_of_two,
  is_parent,            // several ranks on a node
  is_node_consecutive,  // nodes of consecutive ranks
  is_sendbuf_inplace,
  is_commutative,
  is_op_built_in,
  is_block_regular,
  count_is_below_power_of_two
};
inline constexpr std::size_t mpich_flags = 8;

struct MpichRule {
  Range procs = {};
  Range average_bytes = {};
  Range total_bytes = {};
  std::array<std::optional<bool>, mpich_flags> flags = {};  // unset: either
  std::string algorithm = {};                               // "intra_binomial"

  std::optional<bool>& flag(MpichFlag which) { return flags[static_cast<std::size_t>(which)]; }
  const std::optional<bool>& flag(MpichFlag which) const {
    return flags[static_cast<std::size_t>(which)];
  }
};

// The rules of a collective for intracommunicators, and those for intercommunicators; the last rule
// has no conditions. Of all mpich_collectives().
struct MpichDefault {
  std::vector<MpichRule> intra;
  std::vector<MpichRule> inter;  // empty: the same
};
MpichDefault mpich_default(std::string_view collective);
// Adds the conditions without which the algorithm cannot run.
void require_what_it_needs(const Algorithm& algorithm, MpichRule& rule);
// Whether MPICH 4.0 has the algorithm: its blocking algorithms are those of its rules.
bool is_in_mpich_40(const Algorithm& algorithm);

// The branch "collective=X" of a selection tree, indented by two.
std::string mpich_branch_text(std::string_view collective, const MpichDefault& rules);

}  // namespace tutti::algorithms::rules_files
