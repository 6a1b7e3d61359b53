// SPDX-License-Identifier: BSD-3-Clause
// Times of a collective with each way in which a library may run it, over processes and message
// sizes. Simulations (rule_study.hpp) or models fill the table.
#pragma once

#include "algorithms/collective.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies::select {

// One way to run the collective.
struct Candidate {
  std::string algorithm;  // in the form of --algorithm
  int id = 0;             // Open MPI's number; 0: no number
  Bytes segment_bytes = 0;
  int fanout = 0;
  int max_requests = 0;
  // False: Open MPI's file of dynamic rules cannot select it.
  bool in_rules_file = true;
  // False: only for comparison; no rule chooses it.
  bool competes = true;
  // False: it is rejected for other numbers of processes than those it was timed with (two_proc).
  bool runs_beyond = true;

  bool operator==(const Candidate&) const = default;
};

// "chain, fan-out 4, segments 8 KiB".
std::string label(const Candidate& candidate);

struct TimedCell {
  int procs = 0;
  int nodes = 0;
  Bytes message_bytes = 0;  // as in CollectiveArgs
  // Times by candidate; empty if it does not run, or falls back for some size of elements.
  std::vector<std::optional<Seconds>> times_s;
  // Times of the library's own choice by size of elements; empty if unknown.
  std::vector<std::optional<Seconds>> own_s = {};
  int ppn = 0;  // maximum number of ranks on one node
  std::string map = {};
};

// A class of placements that a reader of rules distinguishes from others.
struct SeenPlacement {
  std::string name = {};  // "one-per-node"; empty: any placement
  std::function<bool(const TimedCell&)> holds = [](const TimedCell&) { return true; };
  // Minimum ranks per node on several nodes, for a function; 0: one node, or any.
  int least_ppn = 0;
};

struct TimeTable {
  std::string collective;
  std::vector<Candidate> candidates;
  std::vector<TimedCell> cells;  // in ascending order of procs, then of message_bytes
  std::vector<Bytes> element_bytes = {1};
};

// Candidates that compete: all, or only those that Open MPI's file of dynamic rules can select.
enum class Rivals : unsigned char { all, in_rules_file };
bool is_rival(const Candidate& candidate, Rivals rivals);

// The fastest candidate of those that pass the test, the first one of equals; empty if none runs.
template <class Test>
std::optional<std::size_t> find_best(const TimeTable& table, const TimedCell& cell,
                                     const Test& test) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < cell.times_s.size(); ++i)
    if (cell.times_s[i] && test(table.candidates[i]) &&
        (!best || *cell.times_s[i] < *cell.times_s[*best]))
      best = i;
  return best;
}
// The fastest rival.
std::optional<std::size_t> find_best(const TimeTable& table, const TimedCell& cell, Rivals rivals);
// The minimum time of the library's own choice over the sizes of elements.
std::optional<Seconds> least_own(const TimedCell& cell);
// Relative excess of a time over the best: 0.05 is 5 %.
double relative_loss(Seconds time_s, Seconds best_s);

// The calls for which rules are made or evaluated: properties of a call that a rule sees
// (processes, message size), and properties that it does not see (size of elements, placement).

struct CellAxes {
  std::vector<std::int64_t> procs;                      // ascending
  std::vector<std::int64_t> message_bytes;              // ascending
  std::vector<std::int64_t> element_bytes = {1};        // ascending
  std::vector<platforms::PlacementRequest> placements;  // without the number of processes
  // Allocations of jobs, on which each of the placements is made; empty: on the first nodes.
  std::vector<std::shared_ptr<const platforms::Allocation>> allocations = {};
  std::size_t most_allocations = 16;  // for each number of processes
};

// The placements that are large enough for this number of processes, with this number set. With
// allocations: of those with enough nodes, as many as `most_allocations`, evenly over the list; of
// each its first nodes, equal ones once.
std::vector<platforms::PlacementRequest> make_placements(const CellAxes& axes, int procs,
                                                         const platforms::Machine& machine);

// "ppn 4, round-robin"; without a ppn "block"; without the allocation.
std::string placement_label(const platforms::PlacementRequest& placement);

// A collective of a version of Open MPI, named as a set of rules: "ompi-4.1".
struct LibraryCall {
  std::string collective;
  std::string library;
};

// Whether coll/tuned of the version has the algorithm, so that a rule can name it.
bool has_number(const std::string& library, const algorithms::Algorithm& algorithm);

// Numbers of processes that represent all between two others: an odd one near the middle, the last
// one below the upper, and an even one if algorithms of the collective, or the library's choice
// among them, depend on that for some of the sizes. Empty if there are no numbers between.
std::vector<int> procs_between(int lower, int upper, const LibraryCall& call,
                               const std::vector<std::int64_t>& message_bytes);

// Sizes between the first and the last of `message_bytes` at which Open MPI's own choice changes:
// the last size before and the first size after the change. Finds at most one change between
// neighbors.
std::vector<Bytes> own_changes(const LibraryCall& call, int procs,
                               const std::vector<std::int64_t>& message_bytes);

}  // namespace tutti::studies::select
