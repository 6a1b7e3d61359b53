// SPDX-License-Identifier: BSD-3-Clause
// How long a collective takes by each of the ways in which a library may run it, over processes and
// message sizes. Whoever knows such times fills it: simulations (rule_study.hpp), or models.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

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

}  // namespace tutti::studies::select
