// SPDX-License-Identifier: BSD-3-Clause
// The options of `sim run` and what they mean.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::commands {

std::span<const OptionSpec> run_specs();

struct RunRequest : JobRequest {
  studies::Sweep sweep;
  std::optional<std::string> ranks;
  std::optional<std::string> links;
  std::optional<std::string> histogram;
  bool confidence = false;
  bool verbose = false;
  std::vector<std::string> warnings;  // options without effect
};

// All errors of the command line at once.
Result<RunRequest> read_run(const Parsed& parsed);

// Why the machine has no intervals for the collective's times, where --confidence asks for them.
std::optional<Error> no_accuracy(const RunRequest& request, const platforms::Machine& machine);

// Names of the collectives that can be run, in the registry's order.
std::vector<std::string> collective_names();
// The other workloads of `sim run`; each has options of its own.
std::vector<std::string> other_workload_names();
// Of any workload; what is none has those of the collectives.
std::span<const OptionSpec> specs_of_workload(std::string_view workload);

}  // namespace tutti::commands
