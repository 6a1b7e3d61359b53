// SPDX-License-Identifier: BSD-3-Clause
// Schedules as algorithms of collectives: --algorithm goal:FILE, and the workload `schedule`.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "workloads/schedules/schedule_program.hpp"

namespace tutti::workloads::schedules {

// The collective of `sim run schedule`: whatever the file contains.
inline constexpr std::string_view schedule_word = "schedule";

// The file of "goal:FILE" (or "schedule:FILE"); unset for other algorithms. In the name, {procs}
// and {message_bytes} are replaced by those of the call.
std::optional<std::string> schedule_file_of(std::string_view algorithm, int procs,
                                            Bytes message_bytes);

// A call whose algorithm is a schedule: its entry instead of one in the registry, and its program.
struct ScheduledAlgorithm {
  std::string name;  // as requested
  algorithms::Algorithm algorithm;
  Scheduled scheduled;
  // The progress of the run in this process.
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();
};

struct ScheduleRequest {
  std::string_view collective;  // a collective, or schedule_word
  std::string_view algorithm;
  std::string file;
  int procs = 1;
  Bytes message_bytes = 0;
  Bytes element_bytes = 1;
  runtime::RankId root = 0;
};
// Reads the file, or takes it from memory while another call uses it. Errors name the file,
// --procs, --root, --algorithm or --message-size.
Result<std::shared_ptr<const ScheduledAlgorithm>> scheduled_algorithm(
    const ScheduleRequest& request);

// The schedule of a file, from memory while something uses it or if it was read last.
Result<std::shared_ptr<const Schedule>> shared_schedule(const std::string& path);

// The program of all ranks.
runtime::Program program_of(std::shared_ptr<const ScheduledAlgorithm> scheduled);

// Errors of kind run about operations of the last run that did not end, and messages that nobody
// received, with their lines; at most 8, then how many more. None if some rank has not begun.
std::vector<Error> unfinished(const ScheduledAlgorithm& scheduled, const engines::Outcome& outcome);

}  // namespace tutti::workloads::schedules
