// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/io_event_window.hpp"

namespace tutti::jobs {
namespace {

constexpr double longest_window = 1e-3;  // fraction of a cycle
constexpr double messages_at_longest = 250'000;

// Bytes of a step that the busiest node has, in its ranks.
Bytes bytes_of_busiest_node(const io_models::Schedule& schedule, int step,
                            const platforms::Placement& placement) {
  std::unordered_map<platforms::HostId, Bytes> of_host;
  for (int rank = 0; rank < schedule.redistribution().procs(); ++rank)
    for (const io_models::Leg& leg : schedule.messages().of_rank(rank))
      if (leg.step == step) of_host[placement.host_of[rank]] += leg.amount;
  Bytes most = 0;
  for (const auto& [host, bytes] : of_host) most = std::max(most, bytes);
  return most;
}

// Of a node, for all of its ranks; unset if NICs do not limit rates.
std::optional<double> node_Bps(const platforms::Machine& machine) {
  if (machine.host_count() < 2) return std::nullopt;
  platforms::Machine nodes = machine;
  nodes.rank_send_Bps.reset();
  nodes.rank_receive_Bps.reset();
  const double bandwidth_Bps = nodes.path(0, 1).nic_bandwidth_Bps;
  if (!std::isfinite(bandwidth_Bps)) return std::nullopt;
  return bandwidth_Bps;
}

}  // namespace

bool may_merge_io_events(const IoPoint& point) {
  return point.engine == engines::EngineKind::flow && point.contention == engines::Contention::on &&
         point.benchmark.is_plain() && !point.calls && point.plan.implementation->is_collective &&
         !point.storage.exists();
}

Seconds io_event_window_s(const io_models::CycleChoice& choice, const io_models::Schedule& schedule,
                          const platforms::Machine& machine,
                          const platforms::Placement& placement) {
  if (choice.method != io_models::CycleMethod::sampled) return 0;
  if (schedule.redistribution().groups() != nullptr) return 0;
  const io_models::Legs& legs = schedule.messages();
  const double messages = static_cast<double>(legs.size()) / schedule.steps();
  if (messages < fewest_merged_messages || 2 * legs.busy_ranks() >= legs.busy_aggregators())
    return 0;
  const auto bandwidth_Bps = node_Bps(machine);
  if (!bandwidth_Bps) return 0;
  const Bytes bytes = bytes_of_busiest_node(schedule, schedule.steps() / 2, placement);
  const double density = std::min(1.0, messages / messages_at_longest);
  return longest_window * density * density * static_cast<double>(bytes) / *bandwidth_Bps;
}

}  // namespace tutti::jobs
