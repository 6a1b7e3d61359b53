// SPDX-License-Identifier: BSD-3-Clause
// What messages between two nodes, `pingpong` and `loggp` of `sim run`, are asked for.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/option_table.hpp"
#include "sim/studies/ping_pong_record.hpp"

namespace tutti::studies {

struct PingPongRequest : options::MachineRequest {
  PingPongSweep sweep;
};

struct LogGPRequest : options::MachineRequest {
  PairRequest nodes;
  std::vector<Bytes> sizes;
  engines::EngineKind engine = engines::EngineKind::flow;
};

// An option is a row: declared, and bound to the request.
const options::OptionTable<PingPongRequest>& ping_pong_options();
const options::OptionTable<LogGPRequest>& loggp_options();

// All that is wrong goes to the reader.
void read_ping_pong(options::OptionReader& reader, PingPongRequest& request);
void read_loggp(options::OptionReader& reader, LogGPRequest& request);

}  // namespace tutti::studies
