// SPDX-License-Identifier: BSD-3-Clause
// What the options of every workload of `sim run` ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/reader.hpp"
#include "sim/reports/report.hpp"

namespace tutti::commands {

struct JobRequest {
  std::string platform;  // as given
  std::vector<platforms::Override> overrides;
  reports::Format format = reports::Format::text;
  std::optional<std::string> output;  // unset: standard output
  std::optional<std::string> traffic;
  std::optional<std::string> trace;
  bool names_trace_ranks = false;  // not left to the default
  bool with_cost = true;
  bool force = false;   // memory and limits are not looked at
  std::string command;  // reproduces the result
};

}  // namespace tutti::commands
