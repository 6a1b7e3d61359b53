// SPDX-License-Identifier: BSD-3-Clause
// Restricts rules to what Open MPI's files of dynamic rules support, and writes these files.
#pragma once

#include "algorithms/selection/write_rules.hpp"
#include "sim/select/evaluation.hpp"

namespace tutti::studies::select {

// The calls that the file can distinguish for the collective, and the candidates that it can
// select.
RuleSpec spec_of_rules_file(const std::string& collective, double most_loss);

// The placements that the file of a version ("ompi-4.1") distinguishes: all versions before 6 none.
std::vector<SeenPlacement> placements_of_rules_file(std::string_view library);

// The rules as the file contains them; `rules` are made with that spec.
algorithms::selection::WrittenCollective file_rules(const TimeTable& table, const RuleSet& rules);

// The file of the version with the rules of the reader "rules file". JSON, of Open MPI 6, has no
// head. `is_of_pair`: a file for coll/han is written as well.
std::string open_mpi_file(const std::vector<SelectedCollective>& collectives,
                          std::string_view library, const std::vector<std::string>& head,
                          bool is_of_pair = false);

}  // namespace tutti::studies::select
