// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/planned_calls.hpp"

#include "platforms/job_links.hpp"

namespace tutti::jobs {
namespace {

using io_models::CycleChoice;
using io_models::CycleMethod;
using io_models::Leg;
using platforms::HostId;
using platforms::LinkId;

CycleChoice all_cycles_of(const IoPoint& point, const io_models::Redistribution& redistribution) {
  if (!point.plan.implementation->is_collective) return {};
  return empty_cycles_take_time(point) ? io_models::all_cycles(redistribution)
                                       : io_models::all_with_data(redistribution);
}

// The load of the shuffle's messages on the machine, computed without simulation.

struct ShuffleLoadCall {
  const io_models::CycleChoice& choice;
  const io_models::Schedule& schedule;  // of the choice's cycles
  double weight = 1;                    // number of calls that this one represents
};

struct ShuffleLoadArgs {
  std::span<const ShuffleLoadCall> calls;
  const std::vector<io_models::RankId>& aggregators;
  bool writes = true;
};

// The number of cycles that each simulated step represents.
std::vector<double> weights_of(const ShuffleLoadCall& call) {
  const io_models::CycleChoice& choice = call.choice;
  std::vector<double> weights;
  for (const auto& run : choice.runs)
    for (std::int64_t i = 0; i < run.simulated; ++i)
      weights.push_back(choice.method == CycleMethod::repeated
                            ? (i + 1 < run.simulated ? 1.0 : static_cast<double>(run.count - i))
                            : static_cast<double>(run.count) / static_cast<double>(run.simulated));
  for (double& weight : weights) weight *= call.weight;
  return weights;
}

// `fill` sets messages, own_bytes, intra_node_bytes, sending_nodes, receiving_nodes; and, if every
// cycle is simulated or repeats a simulated one, the busiest node and the busiest link. Other
// cycles are estimated from the sample.
class ShuffleLoad {
 public:
  ShuffleLoad(const ShuffleLoadArgs& args, const platforms::Machine& machine,
              const platforms::Placement& placement)
      : args_(args), machine_(machine), placement_(placement), links_(machine, placement) {
    in_.resize(*std::ranges::max_element(placement.host_of) + std::size_t{1});
    out_.resize(in_.size());
    if (is_complete()) carried_.resize(links_.count());
  }

  void fill(IoRecord& record) {
    double cycles = 0;
    double rank_nodes = 0;
    double aggregator_nodes = 0;
    for (const ShuffleLoadCall& call : args_.calls) {
      weights_ = weights_of(call);
      for (std::size_t i = 0; i < args_.aggregators.size(); ++i)
        for (const Leg& leg : call.schedule.messages().of_aggregator(static_cast<int>(i)))
          count(leg, args_.aggregators[i]);
      rank_nodes += nodes_of_ranks(call);
      aggregator_nodes += nodes_of_aggregators(call);
      cycles += call.weight * static_cast<double>(call.choice.all_cycles);
    }
    rank_nodes /= std::max(1.0, cycles);
    aggregator_nodes /= std::max(1.0, cycles);
    record.messages = std::llround(messages_);
    record.own_bytes = std::llround(own_);
    record.intra_node_bytes = std::llround(intra_);
    record.sending_nodes = args_.writes ? rank_nodes : aggregator_nodes;
    record.receiving_nodes = args_.writes ? aggregator_nodes : rank_nodes;
    if (!is_complete()) return;
    report_node(record);
    report_link(record);
  }

 private:
  bool is_complete() const {
    return std::ranges::all_of(args_.calls, [](const ShuffleLoadCall& call) {
      return call.choice.method != CycleMethod::sampled && call.weight == 1;
    });
  }

  void count(const Leg& leg, std::int32_t aggregator) {
    const auto [from, to] =
        args_.writes ? std::pair(leg.peer, aggregator) : std::pair(aggregator, leg.peer);
    const double weight = weights_[leg.step];
    const double bytes = static_cast<double>(leg.amount) * weight;
    messages_ += weight;
    if (from == to) {
      own_ += bytes;
      return;
    }
    const HostId source = placement_.host_of[from];
    const HostId destination = placement_.host_of[to];
    if (source == destination) {
      intra_ += bytes;
    } else {
      out_[source] += bytes;
      in_[destination] += bytes;
    }
    if (carried_.empty()) return;
    links_.route(from, to, route_);
    for (const LinkId link : route_) carried_[link] += bytes;
  }

  // Number of nodes that exchange data with others, summed over the cycles; `legs_of` returns the
  // legs of a member, `other` the other rank of a leg.
  template <class LegsOf, class Other>
  double sum_of_nodes(std::vector<std::pair<HostId, int>> members, LegsOf legs_of, Other other) {
    std::ranges::sort(members);
    std::vector<std::int32_t> seen(weights_.size(), -1);  // by step, the last host
    double nodes = 0;
    for (const auto& [host, member] : members)
      for (const Leg& leg : legs_of(member)) {
        if (leg.amount == 0 || seen[leg.step] == static_cast<std::int32_t>(host)) continue;
        if (placement_.host_of[other(leg)] == host) continue;
        seen[leg.step] = static_cast<std::int32_t>(host);
        nodes += weights_[leg.step];
      }
    return nodes;
  }

  double nodes_of_ranks(const ShuffleLoadCall& call) {
    std::vector<std::pair<HostId, int>> members;
    for (int rank = 0; rank < call.schedule.redistribution().procs(); ++rank)
      members.emplace_back(placement_.host_of[rank], rank);
    const auto& messages = call.schedule.messages();
    return sum_of_nodes(
        std::move(members), [&](int rank) { return messages.of_rank(rank); },
        [&](const Leg& leg) { return args_.aggregators[leg.peer]; });
  }

  double nodes_of_aggregators(const ShuffleLoadCall& call) {
    std::vector<std::pair<HostId, int>> members;
    for (std::size_t i = 0; i < args_.aggregators.size(); ++i)
      members.emplace_back(placement_.host_of[args_.aggregators[i]], static_cast<int>(i));
    const auto& messages = call.schedule.messages();
    return sum_of_nodes(
        std::move(members), [&](int number) { return messages.of_aggregator(number); },
        [](const Leg& leg) { return leg.peer; });
  }

  void report_node(IoRecord& record) const {
    std::size_t busiest = 0;
    const auto load = [&](std::size_t host) { return std::max(in_[host], out_[host]); };
    for (std::size_t i = 1; i < in_.size(); ++i)
      if (load(i) > load(busiest)) busiest = i;
    if (load(busiest) == 0) return;
    record.busiest_node = machine_.topology->host_name(static_cast<HostId>(busiest));
    record.busiest_node_in_bytes = std::llround(in_[busiest]);
    record.busiest_node_out_bytes = std::llround(out_[busiest]);
  }

  void report_link(IoRecord& record) const {
    double most_s = 0;
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      if (carried_[i] == 0) continue;
      const auto id = static_cast<LinkId>(i);
      const auto link = links_.link(id);
      const double busy_s = carried_[i] / link.bandwidth_Bps;
      if (link.sharing != platforms::LinkSharing::shared || busy_s <= most_s) continue;
      most_s = busy_s;
      record.busiest_link = links_.name(id);
      record.busiest_link_bytes = std::llround(carried_[i]);
      record.busiest_link_busy_s = busy_s;
    }
  }

  const ShuffleLoadArgs& args_;
  const platforms::Machine& machine_;
  const platforms::Placement& placement_;
  platforms::JobLinks links_;
  std::vector<double> weights_;
  std::vector<double> in_;  // bytes by host, from other hosts
  std::vector<double> out_;
  std::vector<double> carried_;  // bytes by link
  std::vector<LinkId> route_;
  double messages_ = 0;
  double own_ = 0;
  double intra_ = 0;
};

}  // namespace

bool empty_cycles_take_time(const IoPoint& point) {
  return point.with_setup && point.plan.implementation->has_lists;
}

PlannedCall::PlannedCall(std::shared_ptr<const io_models::Access> of, const IoPoint& point,
                         const platforms::Placement& placement,
                         std::shared_ptr<const io_models::NodeGroups> groups,
                         const std::optional<CycleChoice>& chosen)
    : merged(groups ? std::make_shared<io_models::MergedAccess>(of, std::move(groups)) : nullptr),
      access(merged ? merged : std::move(of)),
      plan(*access, placement, point.plan),
      choice(chosen ? *chosen : all_cycles_of(point, plan.redistribution())),
      schedule(plan.redistribution(), choice.cycles()),
      job(plan.job(schedule, {.writes = point.writes, .with_setup = point.with_setup})) {}

bool is_sequence(const IoPoint& point) {
  return point.calls || point.node_leaders > 0 || !point.plan.implementation->is_collective;
}

PlannedCalls planned_calls(const IoPoint& point, const platforms::Placement& placement,
                           const CycleChoice& choice) {
  PlannedCalls calls;
  if (!is_sequence(point)) {
    calls.push_back(std::make_unique<PlannedCall>(point.access, point, placement, nullptr, choice));
    return calls;
  }
  const auto groups = point.node_leaders > 0 ? std::make_shared<const io_models::NodeGroups>(
                                                   placement, point.node_leaders)
                                             : nullptr;
  for (const std::int64_t number : choice.cycles())
    calls.push_back(std::make_unique<PlannedCall>(
        point.calls ? point.calls->call(number) : point.access, point, placement, groups));
  return calls;
}

void add_load(const IoPoint& point, const CycleChoice& choice, const PlannedCalls& planned,
              const platforms::Machine& machine, const platforms::Placement& placement,
              IoRecord& record) {
  std::vector<ShuffleLoadCall> loads;
  for (const auto& call : planned) loads.push_back({call->choice, call->schedule});
  if (is_sequence(point) && choice.method == CycleMethod::sampled)
    for (std::size_t i = 0; const io_models::CycleRun& run : choice.runs)
      for (std::int64_t j = 0; j < run.simulated; ++j)
        loads[i++].weight = static_cast<double>(run.count) / static_cast<double>(run.simulated);
  double cycles = 0;
  for (const ShuffleLoadCall& load : loads) {
    cycles += load.weight * static_cast<double>(load.choice.all_cycles);
    record.simulated_cycles += load.choice.simulated_cycles();
  }
  record.cycles = std::llround(cycles);
  if (point.plan.implementation->is_collective)
    ShuffleLoad({loads, planned.front()->plan.aggregators(), point.writes}, machine, placement)
        .fill(record);
}

}  // namespace tutti::jobs
