// SPDX-License-Identifier: BSD-3-Clause
// The requests of messages between two nodes, `pingpong` and `loggp` of `sim run`.
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

// Each row of the tables declares an option and binds it to the request.
const options::OptionTable<PingPongRequest>& ping_pong_options();
const options::OptionTable<LogGPRequest>& loggp_options();

// These report all errors to the reader.
void read_ping_pong(options::OptionReader& reader, PingPongRequest& request);
void read_loggp(options::OptionReader& reader, LogGPRequest& request);

}  // namespace tutti::studies
