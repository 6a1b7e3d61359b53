// SPDX-License-Identifier: BSD-3-Clause
// The surface that cFireworks measures: time of a node with growing numbers of partners inside the
// node and on other nodes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/fireworks/cost_file.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::fireworks {

using workloads::Fireworks;

// All combinations except (0, 0). The paper's points exchange both ways. Additional one-way points,
// only inside the node or only with other nodes, show which resources the two directions share.
struct SurfaceSpec {
  std::vector<std::int64_t> message_bytes;
  std::vector<workloads::PostingOrder> orders;
  std::vector<std::int64_t> hot_spots;
  std::vector<std::int64_t> intra_pairs;  // ascending
  std::vector<std::int64_t> inter_pairs;
};
std::vector<Fireworks> surface_points(const SurfaceSpec& spec);

// At most `samples` distinct values, evenly spread from 0 to `most`.
std::vector<std::int64_t> grid_values(std::int64_t most, std::int64_t samples);

struct PairsSpec {
  // Partners inside the node and on other nodes; unset: the paper's seven, or those that fit.
  std::optional<std::int64_t> most_inside, most_outside;
  std::optional<std::int64_t> samples;  // how many numbers to measure; unset: all
};
// Sets the pairs of `spec` to those that fit on the machine. Returns a warning if these are fewer
// than the paper's, else an empty string. Errors name options.
Result<std::string> set_pairs(SurfaceSpec& spec, const PairsSpec& pairs,
                              const platforms::Machine& machine);

// Time until all messages are received. The engine `simgrid` runs only once per process.
Result<Seconds> simulate_round(const Fireworks& requested, const platforms::Machine& machine,
                               engines::EngineKind engine);

// A link of the machine, and the time that it needs for its bytes at its full bandwidth.
struct BusyLink {
  std::string name;
  Seconds busy_s = 0;
};
// The link that is busy longest; empty if no link is shared.
BusyLink busiest_link(const Fireworks& requested, const platforms::Machine& machine);

// Measured costs: a model for each order, number of hot spots and size with enough rounds to fit
// it.

struct MeasuredRound {
  Fireworks requested;
  Seconds time_s = 0;
  BusyLink busiest;

  double busy_fraction() const { return busiest.busy_s / time_s; }
};
struct MeasuredCosts {
  CostFile costs;  // without the platform's name
  std::vector<MeasuredRound> rounds;
  std::vector<std::vector<PrintedCost>> printed;  // by model
  std::vector<std::string> warnings;
  PointsRun run;

  // Costs fitted to only some of the rounds must not be saved: they look like complete ones.
  bool is_whole() const { return run.not_run == 0 && run.failed.empty(); }
};
MeasuredCosts measure_costs(const SurfaceSpec& spec, engines::EngineKind engine,
                            const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::fireworks
