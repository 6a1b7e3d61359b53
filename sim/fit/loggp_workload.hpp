// SPDX-License-Identifier: BSD-3-Clause
// The workload of `sim run loggp`, which measures a machine's LogGP parameters.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/point_to_point.hpp"
#include "sim/options/option_table.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::studies {

struct LogGPRequest : options::MachineRequest {
  PairRequest nodes;
  std::vector<Bytes> sizes;
  engines::EngineKind engine = engines::EngineKind::flow;
};

// Each row of the table declares an option and binds it to the request.
const options::OptionTable<LogGPRequest>& loggp_options();

// Reports all errors to the reader.
void read_loggp(options::OptionReader& reader, LogGPRequest& request);

extern const Workload loggp_workload;

}  // namespace tutti::studies
