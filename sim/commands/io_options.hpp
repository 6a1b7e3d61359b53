// SPDX-License-Identifier: BSD-3-Clause
// The options of `sim run write` and `sim run read`, and what they mean.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platforms/reader.hpp"
#include "sim/base/result.hpp"
#include "sim/commands/options.hpp"
#include "sim/reports/report.hpp"
#include "sim/studies/io_sweep.hpp"

namespace tutti::commands {

std::span<const OptionSpec> io_specs();

struct IoRequest {
  std::string platform;
  std::vector<platforms::Override> overrides;
  studies::IoSweep sweep;
  reports::Format format = reports::Format::text;
  std::optional<std::string> output;  // unset: standard output
  std::optional<std::string> traffic;
  bool with_cost = true;
  bool force = false;
  std::string command;  // reproduces the result
};

// All errors of the command line at once. The first argument is "write" or "read".
Result<IoRequest> read_io(const Parsed& parsed);

}  // namespace tutti::commands
