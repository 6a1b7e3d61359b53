// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/ping_pong_record.hpp"

#include "algorithms/models/message_cost.hpp"
#include "platforms/message_protocol.hpp"
#include "platforms/parameters/models.hpp"
#include "sim/jobs/measured.hpp"
#include "sim/options/axis.hpp"

namespace tutti::jobs {
namespace {

using platforms::Machine;
using workloads::PingPongPattern;

Seconds predicted(const workloads::PingPong& measured,
                  const algorithms::models::MessageCost& cost) {
  switch (measured.pattern) {
    case PingPongPattern::ping_pong:
      return cost.hop(measured.message_bytes);
    case PingPongPattern::bidirectional:
      return cost.exchange(measured.message_bytes);
    case PingPongPattern::stream:
      break;
  }
  return cost.next(measured.message_bytes);
}

void add_models(const PingPongPoint& point, const Machine& machine, PingPongRecord& record) {
  if (point.job.nodes.inside_node()) return;
  constexpr double nothing_is_combined = std::numeric_limits<double>::infinity();
  using algorithms::models::HockneyCost;
  using algorithms::models::LogGPCost;
  // Parameters of the file apply to any two nodes; derived ones are computed for these two.
  const auto [from, to] = point.job.nodes;
  const auto hockney = machine.hockney.set == platforms::derived_set
                           ? platforms::derived_hockney(machine, from, to)
                           : machine.hockney;
  const auto loggp = machine.loggp.set == platforms::derived_set
                         ? platforms::derived_loggp(machine, from, to)
                         : machine.loggp;
  record.model_hockney_s = predicted(point.measured, HockneyCost(hockney, nothing_is_combined));
  record.model_hockney_set = hockney.set;
  record.model_loggp_s = predicted(point.measured, LogGPCost(loggp, nothing_is_combined));
  record.model_loggp_set = loggp.set;
}

Result<PingPongAnswer> simulate_ping_pong(const PingPongPoint& point, const Machine& machine) {
  const auto time_s = TUTTI_TRY(time_of(machine, point.job, [&](Seconds& answer_s) {
    return workloads::ping_pong_program(point.measured, answer_s);
  }));
  PingPongAnswer answer{describe_point(point, machine)};
  PingPongRecord& record = answer.record;
  const NodePair& nodes = point.job.nodes;
  const auto path = machine.path(nodes.from, nodes.to);
  const Bytes moved = workloads::bytes_moved(point.measured);
  record.time_s = time_s;
  if (moved > 0 && time_s > 0) record.bandwidth_Bps = static_cast<double>(moved) / time_s;
  record.protocol =
      protocol_name(machine.protocol(path.intra_node).protocol_of(point.measured.message_bytes));
  record.path_latency_s = path.latency_s;
  record.path_bandwidth_Bps = path.bandwidth_Bps;
  add_models(point, machine, record);
  return answer;
}

Result<std::vector<NodePair>> pairs_of(const PingPongSweep& sweep, const Machine& machine) {
  std::vector<NodePair> pairs;
  std::vector<std::optional<std::string>> paths(sweep.paths.begin(), sweep.paths.end());
  if (paths.empty()) paths.emplace_back();
  for (const auto& path : paths) {
    const auto pair = TUTTI_TRY(node_pair(machine, {.between = sweep.between, .path = path}));
    pairs.push_back(pair);
  }
  return pairs;
}

// Rejects jobs whose total bytes do not fit into 64 bits.
std::optional<Error> too_many_bytes(const PingPongSweep& sweep, const std::vector<Bytes>& sizes) {
  if (std::ranges::find(sweep.patterns, PingPongPattern::stream) == sweep.patterns.end())
    return std::nullopt;
  constexpr Bytes most = Bytes{1} << 62;
  if (std::ranges::max(sizes) <= most / std::ranges::max(sweep.windows)) return std::nullopt;
  return usage_error("--window", "the messages of a window have too many bytes",
                     "use a smaller window or smaller messages");
}

}  // namespace

PingPongRecord describe_point(const PingPongPoint& point, const Machine& machine) {
  PingPongRecord record;
  record.workload = "pingpong";
  record.pattern = workloads::pattern_name(point.measured.pattern);
  record.from_node = machine.topology->host_name(point.job.nodes.from);
  record.to_node = machine.topology->host_name(point.job.nodes.to);
  record.path = path_name(point.job.nodes);
  record.message_bytes = point.measured.message_bytes;
  if (point.measured.pattern == PingPongPattern::stream) record.window = point.measured.window;
  record.engine = engines::engine_name(point.job.engine);
  return record;
}

Result<PingPongAnswer> run_point(const PingPongPoint& point, const Machine& machine) {
  return measured([&] { return simulate_ping_pong(point, machine); }, 0);
}

std::vector<Bytes> perturbed(const std::vector<Bytes>& sizes, Bytes perturbation) {
  if (perturbation == 0) return sizes;
  std::set<Bytes> all;
  for (const Bytes size : sizes) {
    if (size >= perturbation) all.insert(size - perturbation);
    all.insert({size, size + perturbation});
  }
  return {all.begin(), all.end()};
}

Result<std::vector<PingPongPoint>> ping_pong_points_of(const PingPongSweep& sweep,
                                                       const Machine& machine) {
  const auto pairs = TUTTI_TRY(pairs_of(sweep, machine));
  const auto sizes = perturbed(sweep.sizes, sweep.perturbation);
  if (auto error = too_many_bytes(sweep, sizes)) return *std::move(error);
  std::vector<PingPongPoint> points;
  for (const auto pattern : sweep.patterns)
    for (const NodePair& nodes : pairs)
      for (const auto window : sweep.windows) {
        if (pattern != PingPongPattern::stream && window != sweep.windows.front()) continue;
        if (points.size() + sizes.size() > options::max_points)
          return usage_error("", fmt::format("more than {} points", options::max_points),
                             "use shorter lists");
        for (const Bytes size : sizes)
          points.push_back({.measured = {.pattern = pattern,
                                         .message_bytes = size,
                                         .window = static_cast<int>(window)},
                            .job = {.nodes = nodes, .engine = sweep.engine}});
      }
  return points;
}

}  // namespace tutti::jobs
