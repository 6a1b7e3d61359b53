// SPDX-License-Identifier: BSD-3-Clause
// MPICH's names of the registry's algorithms, and the counterparts of Open MPI's algorithms.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::rules_files {

// An algorithm of MPICH as a leaf of the selection tree names it.
struct MpichName {
  std::string name;            // without "MPIR_Bcast_": "intra_tree"
  std::string tree_type = {};  // value of the parameter tree_type; empty: no such parameter
  const Algorithm* algorithm = nullptr;
};
// The algorithms of a blocking collective that Tutti has.
const std::vector<MpichName>& mpich_names(std::string_view collective);
// Finds the algorithm with this name; null if Tutti does not have it. An empty `tree_type` matches
// any.
const Algorithm* mpich_algorithm(std::string_view collective, std::string_view name,
                                 std::string_view tree_type);
// Empty if MPICH does not have the algorithm.
std::optional<MpichName> mpich_name(const Algorithm& algorithm);
// "MPIR_Reduce_scatter_".
std::string mpich_prefix(std::string_view collective);
// The names of all algorithms of a blocking collective, also of those that Tutti does not have;
// empty for other collectives.
std::vector<std::string> mpich_algorithms(std::string_view collective);

// MPICH's algorithm with the same method as one of Open MPI, and the reverse; null: none.
const Algorithm* in_mpich(const Algorithm& of_open_mpi);
const Algorithm* in_open_mpi(const Algorithm& of_mpich);

}  // namespace tutti::algorithms::rules_files
