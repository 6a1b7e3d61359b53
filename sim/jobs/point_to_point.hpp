// SPDX-License-Identifier: BSD-3-Clause
// Times of messages between two nodes of a machine, measured on an idle network. Every time is a
// separate job that begins at 0, so that it contains no rounding of a running clock.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/jobs.hpp"
#include "workloads/ping_pong.hpp"

namespace tutti::jobs {

// The nodes of the two ranks; equal if both are on one node.
struct NodePair {
  platforms::HostId from = 0;  // rank 0
  platforms::HostId to = 0;    // rank 1

  bool inside_node() const { return from == to; }
};
// The first two nodes; the same node twice if there is only one.
NodePair first_nodes(const platforms::Machine& machine);

inline constexpr std::string_view inter_path = "inter";  // between two nodes
inline constexpr std::string_view intra_path = "intra";  // inside one
std::string_view path_name(const NodePair& nodes);

// Selects the nodes: "A,B" by name or number (from 0), or a path: `inter`, the default, uses the
// first two nodes, `intra` the first node twice. The place of an error is --between or --path;
// inside a node two ranks need two cores.
struct PairRequest {
  std::optional<std::string> between = {};
  std::optional<std::string> path = {};
};
Result<NodePair> node_pair(const platforms::Machine& machine, const PairRequest& request);

// `flow` runs in this process, `simgrid` in a forked child; the untimed `ideal` is not allowed.
struct PairJob {
  NodePair nodes = {};
  engines::EngineKind engine = engines::EngineKind::flow;
};

// Sizes to measure if none are given: 1 B to 1 MiB, doubling.
std::vector<Bytes> pair_sizes();

// A program of two ranks that stores the measured time in `time_s`.
using TimedProgram = std::function<runtime::Program(Seconds& time_s)>;
Result<Seconds> time_of(const platforms::Machine& machine, const PairJob& job,
                        const TimedProgram& program);

// The message sizes and the pattern: times are half a round trip, an exchange, or a message of a
// stream, in the order of `sizes`.
struct PingPongSizes {
  workloads::PingPongPattern pattern = workloads::PingPongPattern::ping_pong;
  std::vector<Bytes> sizes;
  int window = 64;
};
Result<std::vector<Seconds>> ping_pong_times(const platforms::Machine& machine, const PairJob& job,
                                             const PingPongSizes& wanted);

}  // namespace tutti::jobs
