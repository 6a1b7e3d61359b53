// SPDX-License-Identifier: BSD-3-Clause
// What a check of guidelines simulates: each collective as the MPI library runs it by default, and
// its mock-ups, whose inner calls the same library decides.
#pragma once

#include "algorithms/guidelines/mockup.hpp"
#include "algorithms/selection/selection.hpp"
#include "sim/base/common.hpp"
#include "sim/guidelines/measuring.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies::guidelines {

using algorithms::guidelines::Mockup;

struct Spec {
  std::vector<std::string> collectives;
  std::vector<const Mockup*> mockups;  // of these collectives
  std::vector<std::int64_t> procs;
  // As the collective's calls count: of reduce_scatter_block a rank's block, as everywhere. The
  // paper counts its whole vector.
  std::vector<std::int64_t> message_bytes;
  // Size of the datatype's elements. A message is cut to whole ones, and has one at least.
  Bytes element_bytes = 1;
  std::shared_ptr<const algorithms::selection::Selection> selection;
  Measuring measuring;
  bool skips_longest = true;  // calls of more than most_messages
  Point common;               // all but the call and the number of processes
};

// The default, or a mock-up.
struct Side {
  const Mockup* mockup = nullptr;  // null: the default
  Point point;
  std::string skipped = {};           // why it is not run; empty: it is
  std::vector<Seconds> times_s = {};  // of each run the median repetition, once simulated
  Latencies latencies_s = {};         // what these are medians of
};

struct Setting {
  std::string collective;
  int procs = 0;
  Bytes message_bytes = 0;  // as the collective's calls and the library's profiles count
  std::vector<Side> sides;  // the default first
};

// A call of more messages takes minutes, and is skipped.
inline constexpr std::int64_t most_messages = 40'000'000;

// By collective, processes, size; a size that follows itself is taken once. A default with nothing
// to be compared with is skipped, and what has no default to be compared with.
Result<std::vector<Setting>> settings_of(const Spec& spec, const platforms::Machine& machine);

// That something is left to compare, and that it fits the machine and (unless `force`) the memory.
std::vector<Error> check_settings(const std::vector<Setting>& settings,
                                  const platforms::Machine& machine, bool force);

}  // namespace tutti::studies::guidelines
