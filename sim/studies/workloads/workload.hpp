// SPDX-License-Identifier: BSD-3-Clause
// `sim run WORD` and workload = "WORD" of a study simulate a workload: collectives, collective I/O,
// messages between two nodes, the replay of a trace. Each workload declares its options and makes
// points from their values.
#pragma once

#include <list>

#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/study_point.hpp"
#include "sim/options/option_values.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::studies {

struct LoadedTrace;  // sim/replay
struct LoadedLog;    // io_options.hpp

// Inputs of points, kept from one combination of a study to the next.
class PointInputs {
 public:
  // Returns the machine, which is read if it is not one of the last ones.
  Result<std::shared_ptr<const platforms::Machine>> machine_of(
      const options::MachineRequest& request);

  std::shared_ptr<const LoadedTrace> trace;  // the last one that was replayed
  std::shared_ptr<LoadedLog> log;            // of Darshan

 private:
  struct Loaded {
    options::MachineRequest request;
    std::shared_ptr<const platforms::Machine> machine;
  };
  std::list<Loaded> machines_;  // the most recently used first
};

struct WorkloadPoints {
  std::vector<StudyPoint> points;
  Skipped skipped;  // combinations that cannot run
};

struct Workload {
  bool follows_run = true;              // `sim run WORD` exists, not only the study's key
  std::vector<std::string> (*names)();  // its words
  // The options that shape a point and that a study may set.
  std::span<const options::OptionSpec> (*options)();
  // Makes the points of a study's combination; the first argument of `values` is the workload's
  // word. The places of errors are options (OptionValues::placed replaces them by places in the
  // file).
  Result<WorkloadPoints> (*points)(const options::OptionValues& values, PointInputs& inputs);
};

// The workloads of sim/studies; sim/all_workloads.cpp lists all.
extern const Workload collective_workload;
extern const Workload schedule_workload;
extern const Workload io_workload;
extern const Workload ping_pong_workload;

// All workloads, in the order of help and completion (sim/all_workloads.cpp).
std::span<const Workload* const> all_workloads();
// Finds the workload of a word; null if there is none.
const Workload* find_workload(std::string_view word);
// The workload that a user means by another name ("MPI_Allgatherv", "broadcast", "all-reduce"); an
// unknown word is returned as it is.
std::string workload_called(const std::string& word);
// The workload of a word. An unknown word gives the collectives; their reader reports the error.
const Workload& get_workload(std::string_view word);
// The words of all workloads but collectives; `of_run`: only those that follow `sim run`.
std::vector<std::string> other_workload_names(bool of_run);

// The origin of points with these values, without their command.
PointOrigin make_origin(const options::MachineRequest& request,
                        std::shared_ptr<const platforms::Machine> machine);

}  // namespace tutti::studies
