// SPDX-License-Identifier: BSD-3-Clause
// The surface that cFireworks measures: how long a node takes with growing numbers of partners
// inside it and on other nodes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/fireworks/cost_file.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::fireworks {

using workloads::Fireworks;

// All combinations; (0, 0) is none. The paper's points exchange both ways. Those that go one way
// only, inside the node or to other nodes but not both, tell apart what the two ways share.
struct SurfaceSpec {
  std::vector<std::int64_t> message_bytes;
  std::vector<workloads::PostingOrder> orders;
  std::vector<std::int64_t> hot_spots;
  std::vector<std::int64_t> intra_pairs;  // ascending
  std::vector<std::int64_t> inter_pairs;
};
std::vector<Fireworks> surface_points(const SurfaceSpec& spec);

// 0 to `most`, `samples` values, evenly spread, each once.
std::vector<std::int64_t> grid_values(std::int64_t most, std::int64_t samples);

struct PairsSpec {
  std::optional<std::int64_t> most;     // partners of each kind; unset: the paper's seven
  std::optional<std::int64_t> samples;  // numbers of them; unset: all
};
// Sets the pairs of `wish`, as far as a node of the machine and its nodes have room for them. A
// warning where that is for fewer than the paper's; else empty. Errors name options.
Result<std::string> set_pairs(SurfaceSpec& spec, const PairsSpec& pairs,
                              const platforms::Machine& machine);

// Until all messages are received. `simgrid` runs once in a process.
Result<Seconds> time_of(const Fireworks& requested, const platforms::Machine& machine,
                        engines::EngineKind engine);

// A link of the machine, and what part of a time it needs for its bytes at its full bandwidth.
struct BusyLink {
  std::string name;
  double busy_part = 0;
};
// That which is busy longest; empty where no link is shared.
BusyLink busiest_link(const Fireworks& requested, const platforms::Machine& machine,
                      Seconds time_s);

// What messages cost: a model of each order, number of hot spots and size whose rounds tell it.

struct MeasuredRound {
  Fireworks requested;
  Seconds time_s = 0;
  BusyLink busiest;
};
struct MeasuredCosts {
  CostFile costs;  // but the platform's name
  std::vector<MeasuredRound> rounds;
  std::vector<std::vector<PrintedCost>> printed;  // by model
  std::vector<std::string> warnings;
  PointsRun run;

  // Costs of a part of the rounds would look like those of all.
  bool is_whole() const { return run.not_run == 0 && run.failed.empty(); }
};
MeasuredCosts measured_costs(const SurfaceSpec& spec, engines::EngineKind engine,
                             const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::fireworks
