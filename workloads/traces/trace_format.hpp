// SPDX-License-Identifier: BSD-3-Clause
// The formats of the traces that replay reads: each is a row of a table and a reader.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

struct TraceFormat {
  // Whether the path may be a trace of this format.
  bool (*fits)(const std::string& path);
  // The files of a trace except `path` itself.
  std::vector<std::string> (*files)(const std::string& path);
  Result<Trace> (*read)(const std::string& path, const TraceArgs& args);
  bool has_times;  // otherwise the trace counts computation in flops (Trace::has_times)
  // Whether a new trace is a copy of the archive (otf2_writer.hpp); otherwise it is written anew.
  bool is_otf2 = false;
};

// The first format that fits. The last one is OTF2, which fits all paths: its errors are those of
// files without a trace.
const TraceFormat& trace_format_of(const std::string& path);

}  // namespace tutti::workloads::traces
