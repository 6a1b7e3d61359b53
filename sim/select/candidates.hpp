// SPDX-License-Identifier: BSD-3-Clause
// In which ways Open MPI's coll/tuned may run a collective, and how long each takes by simulation.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/select/time_table.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::select {

struct CandidateSpec {
  std::vector<std::int64_t> segment_bytes;  // 0: not segmented
  std::vector<std::int64_t> fanouts;        // where the rules can choose it: not knomial's radix
  std::vector<std::int64_t> max_requests;   // where a rule can limit them: alltoall from 5.0 on
  bool hierarchical = false;                // splits into a level between nodes and one inside
};

// Which calls, and what competes in them.
struct CellStudy {
  std::vector<std::string> collectives;
  CellAxes axes{.procs = {}, .message_bytes = {}, .element_bytes = {1, 4, 8, 16}, .placements = {}};
  CandidateSpec candidates{.segment_bytes = {0, 1 << 10, 4 << 10, 16 << 10, 64 << 10},
                           .fanouts = {2, 4, 8},
                           .max_requests = {}};
  Point common;  // all of a call but itself and its placement
};

// Those that are more likely to be taken for what they are come first: the first of equals wins.
// The last one is Open MPI 4.1's own choice, which does not compete.
std::vector<Candidate> candidates_of(const std::string& collective, const CandidateSpec& spec);

// The call of a cell by each candidate. `common`: all but the call and the number of processes.
struct CellCalls {
  int nodes = 0;
  int ppn = 0;
  std::vector<std::optional<Point>> points;  // by candidate; nothing: it is not run there
  // The library's own choice by size of elements; nothing where the message has no element.
  std::vector<std::optional<Point>> own;
  int too_large = 0;  // calls that are not run for their messages: more than most_messages
};
struct CellSpec {
  int procs = 0;
  Bytes message_bytes = 0;
  // Sizes of elements, ascending. A message is as many whole ones as there is room for. An
  // algorithm that falls back to another one for any of these is not run; else its time is that
  // of the smallest ones, since the same bytes are sent.
  std::vector<Bytes> element_bytes = {1};
  int most_procs = 0;  // an algorithm that falls back with so many is not run either; 0: `procs`
  // What decides the calls that an algorithm makes of other collectives; none: the fixed rules.
  std::shared_ptr<const algorithms::selection::Selection> inside = {};
};
// A call of more messages takes minutes. It has no time, and no rule chooses it: a reduction of
// gigabytes in segments of 1 KiB, inside a reduce_scatter_block.
inline constexpr std::int64_t most_messages = 20'000'000;

Result<CellCalls> calls_of(const std::string& collective, const std::vector<Candidate>& candidates,
                           const CellSpec& spec, const Point& common,
                           const platforms::Machine& machine);

// An algorithm of the collective calls others.
bool calls_others(const std::string& collective);

// Simulates them in this process, calls that are the same once; a column for each candidate that
// runs, named by its number, and for the library's own choice.
Result<Row> simulate(const CellCalls& calls, const platforms::Machine& machine);

struct CellTimes {
  std::vector<std::optional<Seconds>> times_s;  // by candidate
  std::vector<std::optional<Seconds>> own_s;    // by size of elements
  int too_large = 0;                            // as in CellCalls
};
CellTimes times_in(const Row& row, std::size_t candidates, std::size_t element_sizes);

// A cell as one point. `calls`: what they are; `again` makes them anew in the child, as many at
// once need memory.
StudyPoint cell_point(std::string name, const CellCalls& calls,
                      std::function<Result<CellCalls>()> again, const platforms::Machine& machine);
// Of the calls that run, the first for which the memory is too small.
std::vector<Error> memory_errors_of(const std::vector<std::optional<Point>>& points);

}  // namespace tutti::studies::select
