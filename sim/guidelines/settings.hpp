// SPDX-License-Identifier: BSD-3-Clause
// The calls that a check of guidelines simulates: each collective as the MPI library runs it by
// default, and its mock-ups, whose inner calls use the same selection of algorithms.
#pragma once

#include "algorithms/guidelines/mockup.hpp"
#include "algorithms/selection/selection.hpp"
#include "sim/base/common.hpp"
#include "sim/guidelines/measuring.hpp"
#include "sim/jobs/point.hpp"
#include "workloads/profiles.hpp"

namespace tutti::studies::guidelines {

using namespace workloads::profiles;
using algorithms::guidelines::Mockup;

struct Spec {
  std::vector<std::string> collectives;
  std::vector<const Mockup*> mockups;  // of these collectives
  std::vector<std::int64_t> procs;
  // Sizes as in the collective's call: for reduce_scatter_block a rank's block. The PGMPITuneLib
  // paper counts the whole vector.
  std::vector<std::int64_t> message_bytes;
  // Size of the datatype's elements. A message is truncated to whole elements, and has at least
  // one.
  Bytes element_bytes = 1;
  std::int64_t chunk_elements = 0;  // of mock-ups that distribute chunks; 0: the library's 4
  std::shared_ptr<const algorithms::selection::Selection> selection;
  Measuring measuring;
  bool skips_longest = true;  // skip calls of more than most_messages
  Point common;               // everything except the call and the number of processes
};

// One side of a comparison: the default, or a mock-up.
struct Side {
  const Mockup* mockup = nullptr;  // null: the default
  Point point;
  std::string skipped = {};           // reason why it is not simulated; empty: it is simulated
  std::vector<Seconds> times_s = {};  // median repetition of each run, once simulated
  Latencies latencies_s = {};         // all repetitions
};

struct Setting {
  std::string collective;
  int procs = 0;
  Bytes message_bytes = 0;  // as in the collective's call and the library's profiles
  std::vector<Side> sides;  // the default first
};

// Calls of more messages would take minutes, and are skipped.
inline constexpr std::int64_t most_messages = 40'000'000;

// The settings by collective, processes and size; repeated sizes are used once. A default without
// mock-ups to compare with is skipped, and so are mock-ups without their default.
Result<std::vector<Setting>> make_settings(const Spec& spec, const platforms::Machine& machine);

// Checks that something is left to compare, and that it fits the machine and, unless `force`, the
// memory.
std::vector<Error> check_settings(const std::vector<Setting>& settings,
                                  const platforms::Machine& machine, bool force);

}  // namespace tutti::studies::guidelines
