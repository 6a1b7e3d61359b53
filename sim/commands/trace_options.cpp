// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/trace_options.hpp"

#include "sim/studies/replay/clock_alignment.hpp"
#include "workloads/traces/otf2_reader.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;
namespace traces = workloads::traces;

void align_clocks(traces::Trace& trace) {
  auto found = replay::align_clocks(trace);
  trace.events.shift(std::move(found.shifts));
  trace.notes.insert(trace.notes.end(), found.notes.begin(), found.notes.end());
}

}  // namespace

Result<TraceRequest> trace_request(std::string path, const Parsed& parsed) {
  return TraceRequest{.path = std::move(path),
                      .aligns_clocks = parsed.has(trace_option::align_clocks.name())};
}

Result<traces::Trace> read_trace(const TraceRequest& request) {
  auto trace = traces::read_otf2(request.path);
  if (!trace) return trace;
  if (request.aligns_clocks) align_clocks(*trace);
  return trace;
}

}  // namespace tutti::commands
