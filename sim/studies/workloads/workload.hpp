// SPDX-License-Identifier: BSD-3-Clause
// What `sim run WORD` simulates, and workload = "WORD" of a study: collectives, collective I/O,
// messages between two nodes, the replay of a trace. Each says which options it has and which
// points they make.
#pragma once

#include <list>

#include "sim/base/common.hpp"
#include "sim/options/option_values.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/study_point.hpp"

namespace tutti::studies {

struct LoadedTrace;  // sim/replay

// What points are made from, kept from one combination of a study to the next.
class PointInputs {
 public:
  Result<std::shared_ptr<const platforms::Machine>> machine_of(
      const options::MachineRequest& request);

  std::shared_ptr<const LoadedTrace> trace;  // that was replayed last

 private:
  struct Loaded {
    options::MachineRequest request;
    std::shared_ptr<const platforms::Machine> machine;
  };
  std::list<Loaded> machines_;  // those used last
};

struct WorkloadPoints {
  std::vector<StudyPoint> points;
  Skipped skipped;  // combinations that cannot run
};

struct Workload {
  bool follows_run = true;              // "sim run WORD"
  std::vector<std::string> (*names)();  // its words
  // Those that shape a point, as a study may set them.
  std::span<const options::OptionSpec> (*options)();
  // The points of a study's combination; the first argument is the workload's word. Errors name
  // options.
  Result<WorkloadPoints> (*points)(const options::OptionValues& values, PointInputs& inputs);
};

// Those of sim/studies; sim/all_workloads.cpp has all.
extern const Workload collective_workload;
extern const Workload io_workload;
extern const Workload ping_pong_workload;
extern const Workload loggp_workload;

// In the order in which they are offered (sim/all_workloads.cpp).
std::span<const Workload* const> all_workloads();
// That of a word; null: there is none.
const Workload* find_workload(std::string_view word);
// The word of a workload that is called another way: "MPI_Allgather_v", "broadcast", "all-reduce".
// The word itself where nothing is called so.
std::string workload_called(const std::string& word);
// Of a word that is none, the collectives, whose reader reports it.
const Workload& workload_of(std::string_view word);
// The words that are no collectives; `of_run`: that follow `sim run`.
std::vector<std::string> other_workload_names(bool of_run);

// Where points of these values come from, but for their command.
PointOrigin origin_of(const options::MachineRequest& request,
                      std::shared_ptr<const platforms::Machine> machine);

}  // namespace tutti::studies
