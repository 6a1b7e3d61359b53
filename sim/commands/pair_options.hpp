// SPDX-License-Identifier: BSD-3-Clause
// The options of `sim run pingpong` and `sim run loggp`, and what they mean.
#pragma once

#include <span>

#include "sim/base/result.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/studies/ping_pong_record.hpp"

namespace tutti::commands {

std::span<const OptionSpec> ping_pong_specs();
std::span<const OptionSpec> loggp_specs();

struct PingPongRequest : JobRequest {
  studies::PingPongSweep sweep;
};

struct LogGPRequest : JobRequest {
  // The set alone, for a platform file or a command line, in place of the report.
  enum class SetAs : std::uint8_t { none, props, options };

  studies::PairRequest nodes;
  std::vector<Bytes> sizes;
  engines::EngineKind engine = engines::EngineKind::flow;
  SetAs set_as = SetAs::none;
};

// All errors of the command line at once.
Result<PingPongRequest> read_ping_pong(const Parsed& parsed);
Result<LogGPRequest> read_loggp(const Parsed& parsed);

}  // namespace tutti::commands
