// SPDX-License-Identifier: BSD-3-Clause
// How long a collective takes by each of the ways in which a library may run it, over processes and
// message sizes. Whoever knows such times fills it: simulations (rule_study.hpp), or models.
#pragma once

#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies::select {

// One way to run it.
struct Candidate {
  std::string algorithm;  // as --algorithm takes it
  int id = 0;             // Open MPI's; 0: it has none
  Bytes segment_bytes = 0;
  int fanout = 0;
  int max_requests = 0;
  // False: Open MPI's file of dynamic rules cannot ask for it.
  bool in_rules_file = true;
  // False: what the times are compared with, and no rule chooses.
  bool competes = true;
  // False: it is refused where the processes are others than those it was timed with (two_proc).
  bool runs_beyond = true;

  bool operator==(const Candidate&) const = default;
};

// "chain, fan-out 4, segments 8 KiB".
std::string label_of(const Candidate& candidate);

struct TimedCell {
  int procs = 0;
  int nodes = 0;
  Bytes message_bytes = 0;  // as in CollectiveArgs
  // By candidate; nothing where it does not run, or runs as another one for some size of elements.
  std::vector<std::optional<Seconds>> times_s;
  // Of the library's own choice, by size of elements; nothing where it is not known.
  std::vector<std::optional<Seconds>> own_s = {};
  int ppn = 0;  // most ranks on one node
  std::string map = {};
};

struct TimeTable {
  std::string collective;
  std::vector<Candidate> candidates;
  std::vector<TimedCell> cells;  // ascending procs, and message_bytes of each
  std::vector<Bytes> element_bytes = {1};
};

// Who competes: all, or those alone that Open MPI's file of dynamic rules can ask for.
enum class Rivals : unsigned char { all, in_rules_file };
bool is_rival(const Candidate& candidate, Rivals rivals);

// The rival with the least time, the first of equals; nothing where none runs.
std::optional<std::size_t> best_of(const TimeTable& table, const TimedCell& cell, Rivals rivals);
// The least time of the library's own choice, over the sizes of elements.
std::optional<Seconds> least_own(const TimedCell& cell);
// By how much a time is above the best: 0.05 is 5 %.
double loss_of(Seconds time_s, Seconds best_s);

// The calls that rules are made for or judged by: what a rule sees of a call (processes, message
// size), and what it does not see (size of elements, placement).

struct CellAxes {
  std::vector<std::int64_t> procs;                      // ascending
  std::vector<std::int64_t> message_bytes;              // ascending
  std::vector<std::int64_t> element_bytes = {1};        // ascending
  std::vector<platforms::PlacementRequest> placements;  // all but the number of processes
};

// Those on which so many processes have room, with this number.
std::vector<platforms::PlacementRequest> placements_of(const CellAxes& axes, int procs,
                                                       const platforms::Machine& machine);

// "ppn 4, round-robin"; without a ppn "block".
std::string label_of(const platforms::PlacementRequest& placement);

// Numbers of processes that stand for all between two: an odd one near the middle, the last one
// below the upper, and an even one where algorithms of the collective, or the library's choice
// among them, depend on that for some of the sizes. None where nothing is between.
std::vector<int> procs_between(int lower, int upper, const std::string& collective,
                               const std::vector<std::int64_t>& message_bytes);

// Sizes between the first and the last of `message_bytes` at which Open MPI's own choice changes:
// the last one before and the first one behind. At most one change between neighbours is found.
std::vector<Bytes> own_changes(const std::string& collective, int procs,
                               const std::vector<std::int64_t>& message_bytes);

}  // namespace tutti::studies::select
