// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/rank_groups.hpp"

#include "algorithms/mpich.hpp"
#include "platforms/job_links.hpp"
#include "platforms/topologies/derived_topology.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using platforms::Link;
using platforms::LinkId;
using platforms::LinkSharing;
using platforms::Machine;
using platforms::MessageProtocol;
using platforms::Piecewise;
using platforms::Placement;
using runtime::RankId;

// Number of requests of algorithms that limit them, if the call does not: MPICH's batches.
constexpr int usual_requests = 32;

// Links of a group: k flows of a group are one, which gets 1/k of a shared link. A limit of each
// flow is that of one rank.
Link scaled_link(Link link, double group, double fewer_waits) {
  if (link.sharing == LinkSharing::shared) link.bandwidth_Bps /= group;
  link.latency_s /= fewer_waits;
  return link;
}

class ScaledTopology final : public platforms::DerivedTopology {
 public:
  ScaledTopology(std::shared_ptr<const Topology> whole, double group, double fewer_waits)
      : DerivedTopology(std::move(whole)), group_(group), fewer_waits_(fewer_waits) {}
  Link link(LinkId id) const override {
    return scaled_link(network().link(id), group_, fewer_waits_);
  }

 private:
  double group_;
  double fewer_waits_;
};

// The costs of a message of `bytes`: limits that are fractions of a scaled link remain those of one
// rank, and latencies are those of a wait that represents several.
void scale(MessageProtocol& costs, Bytes bytes, int nodes, double group, double fewer_waits) {
  const Bytes carried = bytes + costs.envelope;
  costs.bandwidth_factor = Piecewise(group * std::min(1.0, costs.bandwidth_factor(carried)));
  if (fewer_waits == 1) return;
  costs.extra_latency = Piecewise(costs.extra_latency(bytes) / fewer_waits);
  costs.scale_latency = Piecewise(costs.scale_latency(nodes) / fewer_waits);
  costs.rendezvous_overhead = Piecewise(costs.rendezvous_overhead(bytes) / fewer_waits);
}

Machine scaled(const StepJob& whole, Bytes bytes, double group, double fewer_waits) {
  Machine machine = whole.machine;
  machine.topology = std::make_shared<ScaledTopology>(machine.topology, group, fewer_waits);
  machine.bus = scaled_link(machine.bus, group, fewer_waits);
  machine.sockets.bus_Bps /= group;
  if (machine.sockets.link_Bps) *machine.sockets.link_Bps /= group;
  machine.sockets.link_latency_s /= fewer_waits;
  if (machine.background_Bps) {
    auto background_Bps = *machine.background_Bps;
    for (double& rate_Bps : background_Bps) rate_Bps /= group;
    machine.background_Bps = std::make_shared<const std::vector<double>>(std::move(background_Bps));
  }
  for (MessageProtocol* costs : {&machine.inter, &machine.intra})
    scale(*costs, bytes, whole.placement.nodes, group, fewer_waits);
  return machine;
}

// The first rank of each group, on its core.
Placement first_ranks(const Placement& whole, const Machine& machine, int group) {
  const std::vector<int> cores = platforms::cores_of(whole, machine);
  Placement first;
  first.nodes = whole.nodes;
  first.ppn = whole.ppn / group;
  for (std::size_t rank = 0; rank < whole.host_of.size(); rank += group) {
    first.host_of.push_back(whole.host_of[rank]);
    first.core_of.push_back(cores[rank]);
    if (!whole.socket_of.empty()) first.socket_of.push_back(whole.socket_of[rank]);
  }
  return first;
}

int requests_of(const Point& point) {
  const int given = point.call.args.max_requests;
  return std::min(given > 0 ? given : usual_requests, point.placement.procs - 1);
}

// The bytes of a message, the mean if blocks differ by an element.
Bytes message_bytes(const StepJob& job) {
  return job.phases.empty() ? job.point.call.args.message_bytes : job.phases.front().message_bytes;
}

Point grouped_point(const StepJob& whole, int group) {
  Point point = call_of_ranks(whole, whole.procs() / group);
  if (exchange_kind(whole.point) == ExchangeKind::requests)
    point.call.args.max_requests = std::max(1, requests_of(whole.point) / group);
  return point;
}

// How many waits of a rank a wait of its group represents, apart from those by which it takes less
// time.
double fewer_waits(const StepJob& whole, const Point& grouped, int group) {
  switch (exchange_kind(whole.point)) {
    case ExchangeKind::at_once:
      return group;
    case ExchangeKind::requests:
      return static_cast<double>(requests_of(whole.point)) / requests_of(grouped);
    default:
      return 1;
  }
}

bool has_nearly_equal_blocks(const std::vector<algorithms::StepPhase>& phases, RankId procs) {
  constexpr double most_ratio = 1.05;
  return phases.empty() || static_cast<double>(phases.front().bytes_of(0)) <=
                               most_ratio * static_cast<double>(phases.front().bytes_of(procs - 1));
}

// Whether what ranks share is all in the scaled links.
bool can_group(const MessageProtocol& costs) {
  return costs.window < 0 && (costs.nic_order != platforms::NicOrder::fifo || costs.gap_per_byte);
}
bool can_group(const StepJob& job) {
  return exchange_kind(job.point) != ExchangeKind::none &&
         job.point.contention == engines::Contention::on && !job.machine.cross_traffic &&
         job.machine.topology->rails() == 1 && can_group(job.machine.inter) &&
         can_group(job.machine.intra) && has_nearly_equal_blocks(job.phases, job.procs());
}

// The largest number that divides the lengths of all runs of consecutive ranks on one socket.
int common_divisor_of_runs(const StepJob& job) {
  const auto& host_of = job.placement.host_of;
  const std::vector<int> cores = platforms::cores_of(job.placement, job.machine);
  const auto socket_of = [&](std::size_t rank) {
    return std::pair(host_of[rank],
                     platforms::socket_of_core(job.machine, host_of[rank], cores[rank]));
  };
  int divisor = 0;
  for (std::size_t first = 0, rank = 1; rank <= host_of.size(); ++rank) {
    if (rank < host_of.size() && socket_of(rank) == socket_of(first)) continue;
    divisor = std::gcd(divisor, static_cast<int>(rank - first));
    first = rank;
  }
  return divisor;
}

// Peers that are not at a distance (rank XOR step) require a power of two.
bool has_other_peers(const StepJob& job, RankId procs) {
  return !job.phases.empty() && job.phases.front().to != algorithms::steps_above &&
         algorithms::mpich::is_power_of_two(job.procs()) !=
             algorithms::mpich::is_power_of_two(procs);
}

bool is_same_program(const StepJob& job, int group) {
  const RankId procs = job.procs() / group;
  const auto& call = job.point.call;
  return procs > 1 && !has_other_peers(job, procs) &&
         workloads::runs_as(call, job.procs()) == workloads::runs_as(call, procs) &&
         !workloads::rejection(grouped_point(job, group).call, job.machine, procs);
}

std::int64_t messages_of(const StepJob& job, int group) {
  const std::int64_t procs = job.procs() / group;
  return procs * (procs - 1);
}

// The smallest groups with at most `most` messages; the largest groups if all have more.
std::size_t smallest_within(const StepJob& job, const std::vector<int>& sizes, std::int64_t most) {
  std::size_t at = 0;
  while (at + 1 < sizes.size() && messages_of(job, sizes[at]) > most) ++at;
  return at;
}

// Events are merged in windows of this length, a small fraction of the time in which the busiest
// NIC or core is busy with the messages of a wait. 0 if links are few enough to solve each event.
Seconds event_window_s(const StepJob& job, int nodes_ranks) {
  constexpr double part_of_call = 1.0 / 250, part_of_wait = 1.0 / 40;
  const ExchangeKind kind = exchange_kind(job.point);
  if (kind == ExchangeKind::steps && !job.machine.divides_messages()) return 0;
  const auto& host_of = job.placement.host_of;
  const auto bytes = message_bytes(job);
  const auto path = job.machine.path(host_of.front(), host_of.back());
  const auto& costs = job.machine.inter;
  const double procs = job.procs();
  const Seconds wire_s =
      nodes_ranks * (procs - nodes_ranks) * costs.link_bytes(bytes) / path.nic_bandwidth_Bps;
  const Seconds core_s = procs * (costs.isend_overhead(bytes) + costs.recv_overhead(bytes));
  const Seconds call_s = std::max(wire_s, core_s);
  if (kind == ExchangeKind::at_once) return call_s * part_of_call;
  const double waits =
      kind == ExchangeKind::steps ? procs : std::max(1.0, procs / requests_of(job.point));
  return std::min(call_s * part_of_call, call_s / waits * part_of_wait);
}

struct GroupedRun {
  Seconds time_s = 0;
  Seconds mean_s = 0;
  Seconds min_s = 0;
};

// The times of the whole call, from one rank per group.
Result<GroupedRun> run_groups(const StepJob& whole, int group) {
  const GroupedJob grouped(whole, group);
  const StepJob job = grouped.job();
  const auto end_s = TUTTI_TRY(run_whole(job, event_window_s(job, job.placement.ppn)));
  const auto [least, most] = std::ranges::minmax_element(end_s);
  const Seconds sum_s = std::accumulate(end_s.begin(), end_s.end(), 0.0);
  return GroupedRun{*most * group, sum_s / job.procs() * group, *least * group};
}

// The ratio of the time of the smallest groups that the limits allow to that of groups of this
// size, in a job of fewer nodes. Unset if that job runs another program.
Result<std::optional<double>> ratio_on_fewer_nodes(const StepJob& job, int group,
                                                   const GroupLimits& limits) {
  const SmallerJob smaller(job, limits.smaller_procs - limits.smaller_procs % group);
  const StepJob small = smaller.job();
  const auto sizes = group_sizes(small);
  if (std::ranges::find(sizes, group) == sizes.end()) return std::optional<double>();
  const int smallest = sizes[smallest_within(small, sizes, limits.most_messages)];
  if (smallest >= group) return std::optional(1.0);
  const auto coarse = TUTTI_TRY(run_groups(small, group));
  return std::optional(TUTTI_TRY(run_groups(small, smallest)).time_s / coarse.time_s);
}

// How the differences between groups of different sizes become an error estimate. Calibrated with
// full simulations of 53 random exchanges of 96 to 512 processes: the errors of pairwise exchange
// are larger than these differences, since groups drift apart unlike their ranks.
struct Margin {
  double factor = 1;
  double least_error = 0;
};
Margin margin_of(ExchangeKind kind) {
  if (kind == ExchangeKind::steps) return {.factor = 3.5, .least_error = 0.07};
  if (kind == ExchangeKind::requests) return {.factor = 1.5, .least_error = 0.03};
  return {.factor = 1, .least_error = 0.02};
}

}  // namespace

ExchangeKind exchange_kind(const Point& point) {
  const auto& call = point.call;
  const std::int64_t procs = point.placement.procs;
  const auto phases = phases_of(point);
  const std::string_view collective = call.algorithm->collective;
  const bool is_alltoall = collective == "alltoall" || collective == "alltoallv";
  const bool has_all_peers = !phases.empty() && phases.size() == 1 && phases.front().period == 0;
  if (call.args.counts != nullptr || call.args.hierarchy != nullptr || call.scheduled ||
      call.algorithm->messages == nullptr ||
      workloads::expected_messages(call, point.placement.procs) != procs * (procs - 1))
    return ExchangeKind::none;
  const bool limits = call.algorithm->limits_requests && call.args.max_requests > 0 &&
                      call.args.max_requests < procs - 1;
  if (call.algorithm->posts_to_all) return limits ? ExchangeKind::requests : ExchangeKind::at_once;
  if (is_alltoall && call.algorithm->limits_requests) return ExchangeKind::requests;
  return has_all_peers || (is_alltoall && phases.empty()) ? ExchangeKind::steps
                                                          : ExchangeKind::none;
}

GroupedJob::GroupedJob(const StepJob& whole, int group)
    : whole_(whole),
      placement_(first_ranks(whole.placement, whole.machine, group)),
      point_(grouped_point(whole, group)),
      machine_(scaled(whole, message_bytes(whole), group, fewer_waits(whole, point_, group))) {}

StepJob GroupedJob::job() const { return whole_.represented_by(point_, machine_, placement_); }

std::vector<int> group_sizes(const StepJob& job) {
  std::vector<int> sizes;
  if (!can_group(job)) return sizes;
  const int divisor = common_divisor_of_runs(job);
  for (int size = 1; size <= divisor; ++size)
    if (divisor % size == 0 && is_same_program(job, size)) sizes.push_back(size);
  return sizes;
}

// A change of a flow affects many others if messages are divided or all are posted at once.
GroupLimits usual_limits(const StepJob& job) {
  const bool is_slow =
      job.machine.divides_messages() || exchange_kind(job.point) != ExchangeKind::steps;
  return {.most_messages = is_slow ? 300'000 : 8'400'000,
          .smaller_procs = smaller_procs(job.procs(), job.placement.ppn).front()};
}

std::optional<std::int64_t> grouped_messages(const StepJob& job, const GroupLimits& limits) {
  constexpr std::int64_t times_if_many_nodes = 5;
  const auto sizes = group_sizes(job);
  if (sizes.size() < 2) return std::nullopt;
  const auto messages = messages_of(job, sizes[smallest_within(job, sizes, limits.most_messages)]);
  if (messages > times_if_many_nodes * limits.most_messages) return std::nullopt;
  return messages;
}

Result<std::optional<Extrapolated>> of_rank_groups(const StepJob& job, const GroupLimits& limits) {
  constexpr double difference_if_not_compared = 0.25;
  if (!grouped_messages(job, limits)) return std::optional<Extrapolated>();
  const auto sizes = group_sizes(job);
  const std::size_t at = smallest_within(job, sizes, limits.most_messages);
  const auto fine = TUTTI_TRY(run_groups(job, sizes[at]));
  const auto compared = TUTTI_TRY(ratio_on_fewer_nodes(job, sizes[at], limits));
  const double ratio = compared.value_or(1);
  double apart = compared ? std::abs(1 - ratio) : difference_if_not_compared;
  if (at + 1 < sizes.size()) {
    const auto coarse = TUTTI_TRY(run_groups(job, sizes[at + 1]));
    apart = std::max(apart, std::abs(coarse.time_s / fine.time_s - 1));
  }
  const Margin margin = margin_of(exchange_kind(job.point));
  return std::optional(Extrapolated{.method = "groups",
                                    .time_s = ratio * fine.time_s,
                                    .time_mean_s = ratio * fine.mean_s,
                                    .time_min_s = ratio * fine.min_s,
                                    .error = std::max(margin.least_error, margin.factor * apart),
                                    .counts = counts_of_exchange(job),
                                    .steps = job.procs() - 1,
                                    .simulated_steps = job.procs() / sizes[at] - 1});
}

}  // namespace tutti::jobs::extrapolation
