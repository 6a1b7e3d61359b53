// SPDX-License-Identifier: BSD-3-Clause
// The surface that cFireworks measures: how long a node takes with growing numbers of partners
// inside it and on other nodes.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "workloads/fireworks.hpp"

namespace tutti::studies::fireworks {

using workloads::Fireworks;

// All combinations; (0, 0) is none. The paper's points exchange both ways. Those that go one way
// only, inside the node or to other nodes but not both, tell apart what the two ways share.
struct SurfaceWish {
  std::vector<std::int64_t> message_bytes;
  std::vector<workloads::PostingOrder> orders;
  std::vector<std::int64_t> hot_spots;
  std::vector<std::int64_t> intra_pairs;  // ascending
  std::vector<std::int64_t> inter_pairs;
};
std::vector<Fireworks> surface_points(const SurfaceWish& wish);

// 0 to `most`, `samples` values, evenly spread, each once.
std::vector<std::int64_t> grid_values(std::int64_t most, std::int64_t samples);

// The most pairs that a node of the machine, and its nodes, have room for.
int most_intra_pairs(const platforms::Machine& machine, int hot_spots);
int most_inter_pairs(const platforms::Machine& machine);

// Until all messages are received. `simgrid` runs once in a process.
Result<Seconds> time_of(const Fireworks& asked, const platforms::Machine& machine,
                        engines::EngineKind engine);

// A link of the machine, and what part of a time it needs for its bytes at its full bandwidth.
struct BusyLink {
  std::string name;
  double busy_part = 0;
};
// That which is busy longest; empty where no link is shared.
BusyLink busiest_link(const Fireworks& asked, const platforms::Machine& machine, Seconds time_s);

}  // namespace tutti::studies::fireworks
