// SPDX-License-Identifier: BSD-3-Clause
// The options of `sim run write` and `sim run read`, and what they mean.
#pragma once

#include <span>

#include "sim/base/result.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/studies/io_sweep.hpp"

namespace tutti::commands {

std::span<const OptionSpec> io_specs();

struct IoRequest : JobRequest {
  studies::IoSweep sweep;
  std::optional<std::string> aggregator_times;
};

// All errors of the command line at once. The first argument is "write" or "read".
Result<IoRequest> read_io(const Parsed& parsed);

}  // namespace tutti::commands
