// SPDX-License-Identifier: BSD-3-Clause
// Mock-ups of PGMPITuneLib (Hunold, Carpen-Amarie, HPC Asia 2018): collectives made of others as a
// user could do it. A performance guideline says that no collective is slower than its mock-ups.
// They are no algorithms of an MPI library, so they are not in the registry: no contest and no
// table of decisions has them.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/selection/decision.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::guidelines {

// What a mock-up takes beside the collective's own buffers, the most of any process (Table 1).
struct ExtraMemory {
  Bytes message_bytes = 0;  // from the library's message buffer
  Bytes int_bytes = 0;      // from its buffer for count vectors and displacements

  bool operator==(const ExtraMemory&) const = default;
};

struct Mockup {
  std::string_view guideline;  // "GL1" .. "GL22" of the paper; "R1": in the library alone
  int id = 0;                  // the library's number among those of one collective, from 1 on
  Algorithm algorithm;         // with the library's name for it
  // The calls that it makes, in turn.
  std::vector<selection::InnerCall> (*calls)(const CollectiveArgs& args, int procs) = nullptr;
  ExtraMemory (*extra)(const CollectiveArgs& args, int procs) = nullptr;
};

// In the order of the guidelines.
std::span<const Mockup* const> all_mockups();
std::vector<const Mockup*> mockups_of(std::string_view collective);
// By the name of its algorithm; null: there is none.
const Mockup* find_mockup(std::string_view collective, std::string_view name);

// An algorithm of the registry, or a mock-up; null: neither.
const Algorithm* find_algorithm_or_mockup(std::string_view collective, std::string_view name);

}  // namespace tutti::algorithms::guidelines
