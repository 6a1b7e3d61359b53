// SPDX-License-Identifier: BSD-3-Clause
// What a collective of `sim run`, or of a study, is asked for.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/option_table.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {

struct CollectiveRequest : options::MachineRequest {
  Sweep sweep;
  bool force = false;                 // memory and limits are not looked at
  bool confidence = false;            // the interval of measured times must be known
  std::vector<std::string> warnings;  // options without effect
};

// An option is a row: declared, and bound to the request.
const options::OptionTable<CollectiveRequest>& collective_options();

// --confidence, which the report of a run shows, and a study always has where it is known.
const options::OptionSpec& confidence_option();

// Names of the collectives that can be run, in the registry's order.
std::vector<std::string> collective_names();
// Each name once.
std::vector<std::string> algorithm_names();
// Of `wanted`, those that the collective has; "all" is one.
std::vector<std::string> algorithms_among(const std::vector<std::string>& wanted,
                                          const std::string& collective);

// All that is wrong goes to the reader. `others`: words that are no collectives, but workloads.
void read_collective(options::OptionReader& reader, const std::vector<std::string>& others,
                     CollectiveRequest& request);
// After all else was read without errors: adds warnings of options that have no effect.
void warn_of_idle_options(options::OptionReader& reader, CollectiveRequest& request);

// Why the machine has no intervals for the collective's times, where --confidence asks for them.
std::optional<Error> no_accuracy(const CollectiveRequest& request,
                                 const platforms::Machine& machine);

}  // namespace tutti::studies
