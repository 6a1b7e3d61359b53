// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/messages_at_once.hpp"

#include "algorithms/guidelines/mockup.hpp"
#include "platforms/job_links.hpp"
#include "platforms/placement.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"

namespace tutti::jobs {

using platforms::LinkId;
using platforms::Machine;
using platforms::MessageProtocol;
using platforms::NicOrder;
using platforms::Placement;
using platforms::Protocol;

namespace {

bool sends_at_once(const MessageProtocol& costs, Bytes bytes) {
  return costs.eager_credits == 0 && costs.protocol_of(bytes) != Protocol::rendezvous;
}

// Distances of sender and receiver: powers of two, and fractions of the number of ranks.
std::vector<int> sampled_distances(int procs) {
  constexpr int parts = 12;
  std::vector<int> distances;
  for (int distance = 1; distance < procs; distance *= 2) distances.push_back(distance);
  for (int part = 1; part < parts; ++part)
    distances.push_back(static_cast<int>(std::int64_t{procs} * part / parts));
  std::erase(distances, 0);
  return distances;
}

// One step, in which every rank sends a message to the rank at a distance.
class StepLoad {
 public:
  StepLoad(const Machine& machine, const Placement& placement)
      : placement_(placement), links_(machine, placement), messages_(links_.count()) {}

  // The longest time for which a link is busy with the messages between nodes, per byte of a
  // message.
  double busiest_s_per_B(int distance) {
    double busiest = 0;
    const int procs = static_cast<int>(placement_.host_of.size());
    for (int from = 0; from < procs; ++from) {
      const int to = static_cast<int>((std::int64_t{from} + procs - distance) % procs);
      if (placement_.host_of[from] == placement_.host_of[to]) continue;
      const platforms::Path path = links_.path(from, to, route_);
      longest_path_ = {.latency_s = std::max(longest_path_.latency_s, path.latency_s),
                       .bandwidth_Bps = std::min(longest_path_.bandwidth_Bps, path.bandwidth_Bps)};
      for (const LinkId link : route_) {
        if (messages_[link]++ == 0) used_.push_back(link);
        const auto messages = static_cast<double>(messages_[link]);
        busiest = std::max(busiest, messages / links_.link(link).bandwidth_Bps);
      }
    }
    for (const LinkId link : used_) messages_[link] = 0;
    used_.clear();
    return busiest;
  }

  // The largest latency and the lowest bandwidth of all messages so far.
  const platforms::Path& longest_path() const { return longest_path_; }

 private:
  const Placement& placement_;
  platforms::JobLinks links_;
  std::vector<std::uint32_t> messages_;  // by link
  std::vector<LinkId> used_;
  std::vector<LinkId> route_;
  platforms::Path longest_path_;
};

// True for a mock-up if one of its calls posts to all ranks at once.
bool posts_to_all(const Point& point) {
  const auto* algorithm = point.call.algorithm;
  const auto* mockup = algorithms::guidelines::find_mockup(algorithm->collective, algorithm->name);
  if (mockup == nullptr) return algorithm->posts_to_all;
  const int procs = point.placement.procs;
  const auto calls = mockup->calls(point.call.args, procs);
  return std::ranges::any_of(calls, [&](const auto& call) {
    return algorithms::selection::decided(call, procs).algorithm->posts_to_all;
  });
}

}  // namespace

bool has_paths_by_rank(const Machine& machine) {
  return machine.limits_ranks() || machine.has_routes_by_rank();
}

MessagesAtOnce messages_at_once(const Point& point, const Machine* machine) {
  constexpr std::int64_t few = 6000;  // not worth the examination of routes
  if (!posts_to_all(point)) return {};
  const std::int64_t others = point.placement.procs - 1;
  const std::int64_t limit = point.call.args.max_requests;
  const std::int64_t at_once = limit > 0 ? std::min(limit, others) : others;
  MessagesAtOnce all{.messages = at_once * point.placement.procs};
  if (machine == nullptr) return all;
  if (const auto grouped = extrapolation::messages_of_groups(point, *machine))
    return {.messages = *grouped, .channels = *grouped};
  if (all.messages > few && exchanges_as_a_whole(point, *machine)) {
    all.have_requests = false;
    const auto in_flight = messages_in_flight(point, *machine);
    all.messages = in_flight.value_or(all.messages);
    all.compete = !in_flight;
  }
  all.channels = all.messages;
  if (has_paths_by_rank(*machine)) return all;
  // Messages in flight that do not compete are those of a few distances, and share few channels.
  const auto placement = platforms::place(*machine, point.placement);
  const std::int64_t nodes = placement && all.compete ? placement->nodes : 0;
  all.channels = std::min(all.channels, nodes * nodes);
  return all;
}

bool exchanges_as_a_whole(const Point& point, const Machine& machine) {
  const auto& call = point.call;
  const int others = point.placement.procs - 1;
  const int limit = call.args.max_requests;
  const Bytes bytes = call.args.message_bytes;
  return call.algorithm->posts_to_all && (limit <= 0 || limit >= others) &&
         call.args.counts == nullptr && point.engine == engines::EngineKind::flow &&
         !point.verify && point.benchmark.is_plain() && !point.want_traffic &&
         !point.inside.any() && point.goal_file.empty() && sends_at_once(machine.inter, bytes) &&
         sends_at_once(machine.intra, bytes);
}

std::optional<std::int64_t> messages_in_flight(const Point& point, const Machine& machine) {
  constexpr int most_procs = 1 << 16;  // of jobs that could be simulated in full
  constexpr double most_load = 0.8;
  const int procs = point.placement.procs;
  const Bytes bytes = point.call.args.message_bytes;
  const MessageProtocol& costs = machine.inter;
  const Seconds send_s = costs.isend_overhead(bytes);
  const bool waits_for_nic = costs.nic_order == NicOrder::fifo || costs.gap(bytes) > send_s ||
                             machine.intra.gap(bytes) > machine.intra.isend_overhead(bytes);
  if (procs > most_procs || !point.call.algorithm->posts_by_distance || waits_for_nic ||
      send_s <= 0)
    return std::nullopt;
  const auto placement = platforms::place(machine, point.placement);
  if (!placement) return std::nullopt;
  StepLoad load(machine, *placement);
  const double size = costs.link_bytes(bytes);
  for (const int distance : sampled_distances(procs))
    if (load.busiest_s_per_B(distance) * size > most_load * send_s) return std::nullopt;
  // A rank sends some messages ahead, and all those inside its node at about the same time. Flows
  // on loaded links take several times as long as alone.
  constexpr int ahead = 16, times_as_long = 8;
  const auto& path = load.longest_path();
  const Seconds flight_s =
      costs.latency_s(path.latency_s, bytes) + costs.extra_latency(bytes) +
      costs.scale_latency(placement->nodes) +
      times_as_long * size /
          (path.bandwidth_Bps * std::min(1.0, costs.bandwidth_factor(bytes + costs.envelope)));
  const double per_rank = ahead + placement->ppn + flight_s / send_s;
  return std::min(std::int64_t{procs} * (procs - 1),
                  static_cast<std::int64_t>(per_rank * static_cast<double>(procs)));
}

}  // namespace tutti::jobs
