// SPDX-License-Identifier: BSD-3-Clause
// How the subcommands of `sim replay` read a trace.
#pragma once

#include <array>
#include <string>

#include "sim/commands/options.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::commands {

namespace trace_option {
inline constexpr std::string_view group = "The trace";
inline constexpr OptionSpec align_clocks{
    group, "--align-clocks", "",
    "shifts the ranks' clocks so that nothing happens before its cause: EZTrace's traces need it"};

inline constexpr std::array of_reading{align_clocks};
}  // namespace trace_option

struct TraceRequest {
  std::string path;
  bool aligns_clocks = false;
};

// The options of `trace_option::of_reading`.
Result<TraceRequest> trace_request(std::string path, const Parsed& parsed);

// The trace as the options ask for it; what they did is in its notes.
Result<workloads::traces::Trace> read_trace(const TraceRequest& request);

}  // namespace tutti::commands
