// SPDX-License-Identifier: BSD-3-Clause
// The ways in which Open MPI's coll/tuned may run a collective, and their simulated times.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"
#include "sim/select/time_table.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::select {

struct CandidateSpec {
  std::string library = "ompi-4.1";         // version of Open MPI: a set of rules
  std::vector<std::int64_t> segment_bytes;  // 0: unsegmented
  // Fan-outs of algorithms whose fan-out rules can set: not knomial's radix.
  std::vector<std::int64_t> fanouts;
  // Limits of algorithms whose limit rules can set: alltoall from 5.0 on.
  std::vector<std::int64_t> max_requests;
  // Hierarchical algorithms, with a level between nodes and one inside.
  bool hierarchical = false;
  // Schedules ("goal:FILE"), which compete where their collective and number of processes fit.
  std::vector<std::string> schedules = {};
};

// The calls of a study, and the candidates that compete in them.
struct CellStudy {
  std::vector<std::string> collectives;
  CellAxes axes{.procs = {}, .message_bytes = {}, .element_bytes = {1, 4, 8, 16}, .placements = {}};
  CandidateSpec candidates{.segment_bytes = {0, 1 << 10, 4 << 10, 16 << 10, 64 << 10},
                           .fanouts = {2, 4, 8},
                           .max_requests = {}};
  Point common;  // all of a call except itself and its placement
};

// Whether its algorithm is a schedule ("goal:FILE").
bool is_schedule(const Candidate& candidate);

// Ordered by preference: of equally fast candidates the first wins. The last one is the library's
// own choice (from 5.0 on with HAN), which does not compete.
std::vector<Candidate> list_candidates(const std::string& collective, const CandidateSpec& spec);

// The call of a cell with each candidate. `common`: all except the call and the number of
// processes.
struct CellCalls {
  int nodes = 0;
  int ppn = 0;
  std::vector<std::optional<Point>> points;  // by candidate; empty: it does not run there
  // The library's own choice by size of elements; empty if the message contains no element.
  std::vector<std::optional<Point>> own;
  // Calls that are skipped because they have more than most_messages messages.
  int too_large = 0;
};
struct CellSpec {
  int procs = 0;
  Bytes message_bytes = 0;
  // Sizes of elements, ascending. A message is rounded down to whole elements. An algorithm that
  // falls back to another one for any of these sizes is not run. Its time is that with the smallest
  // elements, since the number of bytes is the same.
  std::vector<Bytes> element_bytes = {1};
  // An algorithm that falls back with this number is not run either; 0: `procs`.
  int most_procs = 0;
  // Decides the calls that an algorithm makes of other collectives; null: the fixed rules.
  std::shared_ptr<const algorithms::selection::Selection> inside = {};
  std::string library = "ompi-4.1";  // as in CandidateSpec
};
// A call with more messages takes minutes. It has no time, and no rule chooses it. Example: a
// reduction of gigabytes in segments of 1 KiB, inside a reduce_scatter_block.
inline constexpr std::int64_t most_messages = 20'000'000;

Result<CellCalls> make_calls(const std::string& collective,
                             const std::vector<Candidate>& candidates, const CellSpec& spec,
                             const Point& common, const platforms::Machine& machine);

// True if an algorithm of the collective calls other collectives.
bool calls_others(const LibraryCall& call);

// Simulates the calls in this process, equal calls once. Returns a column for each candidate that
// runs, named by its number, and for the library's own choice.
Result<Row> simulate(const CellCalls& calls, const platforms::Machine& machine);

struct CellTimes {
  std::vector<std::optional<Seconds>> times_s;  // by candidate
  std::vector<std::optional<Seconds>> own_s;    // by size of elements
  int too_large = 0;                            // as in CellCalls
};
CellTimes times_in(const Row& row, std::size_t candidates, std::size_t element_sizes);

// A cell as one point. `calls`: its calls; `again` builds them again in the child, since keeping
// many needs memory.
StudyPoint cell_point(std::string name, const CellCalls& calls,
                      std::function<Result<CellCalls>()> again, const platforms::Machine& machine);
// Error of the first call that needs more memory than is available.
std::vector<Error> check_memory(const std::vector<std::optional<Point>>& points,
                                const platforms::Machine& machine);

}  // namespace tutti::studies::select
