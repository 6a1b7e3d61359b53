// SPDX-License-Identifier: BSD-3-Clause
// What calls and operations of accelerators do, by their names: CUDA, HIP, OpenCL, OpenACC, OpenMP,
// NCCL and RCCL.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

struct DeviceName {
  // What a call launches, or an operation is. Calls of other work have no operation in a trace.
  enum class Work : std::uint8_t { kernel, copy, fill, other };
  // What a call waits for, or queries.
  enum class Scope : std::uint8_t { device, stream, event };

  Work call = Work::other;
  Work operation = Work::kernel;
  Scope scope = Scope::device;
  bool is_target = false;  // a target region of OpenMP
  // Of a kernel of NCCL or RCCL: the operation, such as "AllReduce". Empty: it is another one.
  std::string collective = {};
  // The peers of such a kernel may be any of those that run one, rather than all.
  bool has_unknown_peers = false;
};

// By region.
std::vector<DeviceName> device_names(const std::vector<workloads::traces::TraceRegion>& regions);

}  // namespace tutti::studies::replay
