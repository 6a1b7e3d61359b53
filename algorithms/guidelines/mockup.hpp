// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of PGMPITuneLib (Hunold, Carpen-Amarie, HPC Asia 2018): collectives composed of other
// collectives, as a user could implement them. A performance guideline requires that no collective
// is slower than its mock-ups. Mock-ups are not algorithms of an MPI library, so they are not in
// the registry and do not take part in comparisons and decision tables.
#pragma once

#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms::guidelines {

// Memory that a mock-up needs in addition to the collective's own buffers: the maximum over the
// processes (Table 1).
struct ExtraMemory {
  Bytes message_bytes = 0;  // from the library's message buffer
  Bytes int_bytes = 0;      // from its buffer for count vectors and displacements

  bool operator==(const ExtraMemory&) const = default;
};

// TU Wien's libraries: decompositions into nodes and lanes (parlab-tuwien/mpi-lane-collectives),
// circulant graphs, and broadcast schedules on them. The last two are not public: their mock-ups
// follow the papers (algorithms/circulant.hpp).
inline constexpr std::string_view lane_library = "lane";
inline constexpr std::string_view circulant_library = "circulant";
inline constexpr std::string_view schedule_library = "schedule";

struct Mockup {
  // "GL1" .. "GL22" of the paper; "R1", ...: only in the repository, in the order of the
  // collectives.
  std::string_view guideline;
  int id = 0;  // the library's number per collective, counted from 1
  // The other library with which PGMPITuneLib must be built; empty: none.
  std::string_view library = {};
  Algorithm algorithm;  // has the library's name
  // The calls that the mock-up makes, in order.
  std::vector<selection::InnerCall> (*calls)(const CollectiveArgs& args, int procs) = nullptr;
  ExtraMemory (*extra)(const CollectiveArgs& args, int procs) = nullptr;
};

// All mock-ups in the order of the guidelines.
std::span<const Mockup* const> all_mockups();
std::vector<const Mockup*> find_mockups(std::string_view collective);
// Finds a mock-up by the name of its algorithm; null if there is none.
const Mockup* find_mockup(std::string_view collective, std::string_view name);

// Finds an algorithm of the registry or a mock-up; null if there is neither.
const Algorithm* find_algorithm_or_mockup(std::string_view collective, std::string_view name);

}  // namespace tutti::algorithms::guidelines
