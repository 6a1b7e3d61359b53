// SPDX-License-Identifier: BSD-3-Clause
// The request of a collective by `sim run` or by a study.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/option_table.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {

struct CollectiveRequest : options::MachineRequest {
  Sweep sweep;
  bool force = false;                 // skip the checks of memory and limits
  bool confidence = false;            // the interval of measured times must be known
  std::vector<std::string> warnings;  // options without effect
};

// The group of the options that describe the call.
inline constexpr std::string_view collective_group = "The collective";

// Each row of the table declares an option and binds it to the request.
const options::OptionTable<CollectiveRequest>& collective_options();

// --confidence of `sim run`; studies always include the interval if it is known.
const options::OptionSpec& confidence_option();

// Names of the collectives that can be run, in the registry's order.
std::vector<std::string> collective_names();
// Names of all algorithms without duplicates.
std::vector<std::string> algorithm_names();
// Returns the names in `wanted` that the collective has; "all" counts as one.
std::vector<std::string> algorithms_among(const std::vector<std::string>& wanted,
                                          const std::string& collective);

// The options of the workload `schedule`. A schedule contains its own call.
std::span<const options::OptionSpec> schedule_options();
// Completes the values of the workload `schedule`. Its only algorithms are schedules: a FILE after
// the word becomes --algorithm goal:FILE, and --procs is the file's number of ranks unless it is
// given. Other values are returned as they are.
Result<options::OptionValues> with_schedule(options::OptionValues values);

// Reports all errors to the reader. `others` are the names of workloads other than collectives.
void read_collective(options::OptionReader& reader, const std::vector<std::string>& others,
                     CollectiveRequest& request);
// Adds warnings of options that have no effect; call it after everything was read without errors.
void warn_of_idle_options(options::OptionReader& reader, CollectiveRequest& request);

// Whether --confidence needs intervals that the machine does not have for this collective.
bool lacks_accuracy(const CollectiveRequest& request, const platforms::Machine& machine);
// Gives the machine the accuracy of machines that are not fitted: nine of ten of 1,365 measured
// times of Leonardo, LUMI, Fugaku and MareNostrum 5 are within a factor of 1.2 to 4.2 of those of a
// machine with the values of the class `generic` and their link rates, depending on machine and
// size (docs/accuracy.md). All four measured jobs of up to 32 nodes with one process each.
void assume_accuracy(platforms::Machine& machine);
inline constexpr double assumed_accuracy = 3;

}  // namespace tutti::studies
