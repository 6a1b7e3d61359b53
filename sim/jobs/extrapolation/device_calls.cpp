// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/device_calls.hpp"

#include <unordered_set>

#include "algorithms/nccl/channels.hpp"
#include "sim/jobs/run_point.hpp"
#include "workloads/hierarchical_spec.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using algorithms::StepPhase;
using platforms::HostId;
using platforms::Placement;
using runtime::MessageCounts;
using runtime::RankId;

// Ranks of the simulated rings and pipelines.
constexpr RankId few_in_ring = 32, few_in_pipeline = 64;
// Calls of at most this number of messages are simulated in full unless the error is this small.
constexpr std::int64_t most_affordable = 5'000'000;
constexpr double small_error = 0.03;
constexpr double least_loops_error = 5e-3;

// The latest, mean and earliest end of a rank, or sums and differences of such.
struct DeviceEnds {
  Seconds most_s = 0;
  Seconds mean_s = 0;
  Seconds least_s = 0;

  DeviceEnds operator+(const DeviceEnds& other) const {
    return {most_s + other.most_s, mean_s + other.mean_s, least_s + other.least_s};
  }
  DeviceEnds operator*(double factor) const {
    return {most_s * factor, mean_s * factor, least_s * factor};
  }
  DeviceEnds operator-(const DeviceEnds& other) const { return *this + other * -1; }
};

struct SimulatedLoops {
  DeviceEnds ends;
  MessageCounts counts;
};

// The first nodes of the job with their ranks.
Placement first_nodes(const Placement& whole, int nodes) {
  Placement part;
  std::unordered_map<HostId, int> ranks_of;
  for (std::size_t rank = 0; rank < whole.host_of.size(); ++rank) {
    const HostId host = whole.host_of[rank];
    if (!ranks_of.contains(host) && std::ssize(ranks_of) == nodes) continue;
    part.host_of.push_back(host);
    if (!whole.core_of.empty()) part.core_of.push_back(whole.core_of[rank]);
    if (!whole.socket_of.empty()) part.socket_of.push_back(whole.socket_of[rank]);
    part.ppn = std::max(part.ppn, ++ranks_of[host]);
  }
  part.nodes = static_cast<int>(ranks_of.size());
  return part;
}

class DeviceCall {
 public:
  explicit DeviceCall(const StepJob& job) : job_(job) {}

  const StepPhase& phase() const { return job_.phases.front(); }
  bool is_ring() const { return phase().to != nullptr; }
  int nodes() const { return job_.placement.nodes; }
  // Few nodes; an even number of them if that of the job is even, as rings depend on it.
  int few_nodes() const {
    const int few =
        std::max(2, (is_ring() ? few_in_ring : few_in_pipeline) / std::max(1, job_.placement.ppn));
    if (nodes() <= few + 1) return nodes();
    return few - (few + nodes()) % 2;
  }
  int fewer_nodes() const {
    const int fewer = few_nodes() / 2;
    return std::max(1, fewer - (fewer + nodes()) % 2);
  }
  // Steps of a loop of a ring on some of the nodes, each of which has equally many ranks.
  std::int64_t period(RankId procs) const {
    return is_ring() ? phase().period * (procs - 1) / (job_.procs() - 1) : phase().period;
  }

  // Simulates `loops` loops, or chunks, on the first nodes.
  Result<SimulatedLoops> simulate(int nodes, const StepPhase& phase, std::int64_t loops) {
    const Placement placement = first_nodes(job_.placement, nodes);
    Point point = job_.point;
    point.placement.procs = static_cast<int>(placement.host_of.size());
    auto& args = point.call.args;
    args.segment_bytes = phase.message_bytes;
    args.fanout = static_cast<int>(phase.ahead);
    args.root = std::min(args.root, point.placement.procs - 1);
    args.message_bytes = bytes_of(phase, loops, point);
    point.call.hierarchy = TUTTI_TRY(workloads::make_hierarchy({}, placement, args));
    args.hierarchy = point.call.hierarchy.get();
    args.nodes = point.call.hierarchy->shape();
    engines::Job simulated{.machine = job_.machine,
                           .placement = placement,
                           .program = workloads::program_of(point.call),
                           .contention = point.contention};
    if (job_.watcher != nullptr) simulated.observers.push_back(job_.watcher);
    auto outcome = engines::run(point.engine, simulated);
    if (!outcome.problems.empty()) return errors_of(outcome.problems);
    loops_ += loops;
    const auto [least, most] = std::ranges::minmax_element(outcome.end_s);
    const Seconds sum_s = std::accumulate(outcome.end_s.begin(), outcome.end_s.end(), 0.0);
    return SimulatedLoops{{*most, sum_s / static_cast<double>(outcome.end_s.size()), *least},
                          outcome.counts};
  }

  RankId ranks_on(int nodes) const {
    return static_cast<RankId>(first_nodes(job_.placement, nodes).host_of.size());
  }
  std::int64_t loops() const { return loops_; }

  // Difference of the mean latencies between consecutive nodes, of all and of the first nodes.
  Seconds latency_difference(int few) const {
    std::vector<HostId> hosts;
    std::unordered_set<HostId> known;
    for (const HostId host : job_.placement.host_of)
      if (known.insert(host).second) hosts.push_back(host);
    std::vector<platforms::LinkId> room;
    const auto mean_of = [&](std::size_t count) {
      Seconds sum_s = 0;
      for (std::size_t node = 0; node < count; ++node)
        sum_s += job_.machine.path(hosts[node], hosts[(node + 1) % count], room).latency_s;
      return sum_s / static_cast<double>(count);
    };
    return std::abs(mean_of(hosts.size()) - mean_of(static_cast<std::size_t>(few)));
  }

 private:
  // The size of a call of this number of loops: whole cells of each channel, at most the loops'
  // bytes, since a part of a cell in addition would be a further loop.
  Bytes bytes_of(const StepPhase& phase, std::int64_t loops, const Point& point) const {
    const auto& collective = *algorithms::find_collective(point.call.algorithm->collective);
    const RankId procs = point.placement.procs;
    const bool has_blocks = collective.in_blocks || collective.name == "reduce_scatter";
    const std::int64_t traffic = has_blocks ? procs : collective.rooted ? 1 : 2;
    const Bytes cell = algorithms::nccl::cell_bytes(point.call.args, traffic);
    const std::int64_t chunks = is_ring() ? (has_blocks ? 1 : procs) : phase.period;
    const Bytes part = phase.message_bytes * loops * chunks;
    const Bytes whole = std::max(cell, part / cell * cell) * phase.ahead;
    return collective.name == "reduce_scatter" ? whole * procs : whole;
  }

  const StepJob& job_;
  std::int64_t loops_ = 0;
};

// The time of further steps, after a simulated part.
struct DeviceSlope {
  SimulatedLoops part;    // its last simulation
  double steps = 0;       // of that
  DeviceEnds of_step;     // of its last steps
  double difference = 0;  // of the earlier steps' times from those, as a fraction
};

// Simulates growing numbers of loops or chunks.
Result<DeviceSlope> find_slope(DeviceCall& call, int nodes, const StepPhase& phase,
                               const std::array<std::int64_t, 3>& loops) {
  const auto first = TUTTI_TRY(call.simulate(nodes, phase, loops[0]));
  const auto second = TUTTI_TRY(call.simulate(nodes, phase, loops[1]));
  const auto third = TUTTI_TRY(call.simulate(nodes, phase, loops[2]));
  const auto period = static_cast<double>(call.period(call.ranks_on(nodes)));
  const DeviceEnds earlier =
      (second.ends - first.ends) * (1 / (period * static_cast<double>(loops[1] - loops[0])));
  const DeviceEnds later =
      (third.ends - second.ends) * (1 / (period * static_cast<double>(loops[2] - loops[1])));
  return DeviceSlope{third, period * static_cast<double>(loops[2]), later,
                     std::abs(earlier.most_s / later.most_s - 1)};
}

constexpr std::array<std::int64_t, 3> ring_loops = {1, 2, 3};
constexpr std::array<std::int64_t, 3> pipeline_chunks = {16, 32, 48};
constexpr std::int64_t first_chunks = 2;

double scaled_error(double of_step, double steps, const DeviceSlope& slope, Seconds time_s) {
  return of_step * slope.of_step.most_s * steps / time_s;
}

// Bytes of all messages of the call: each rank, or all but one, sends the vector or block of each
// other one once, in an allreduce twice.
Bytes wire_bytes_of(const Point& point) {
  const auto& collective = *algorithms::find_collective(point.call.algorithm->collective);
  const std::int64_t others = point.placement.procs - 1;
  const std::int64_t copies = collective.in_blocks             ? point.placement.procs
                              : collective.name == "allreduce" ? 2
                                                               : 1;
  return others * copies * point.call.args.message_bytes;
}

// The counts of the whole call, of which those of a part have the proportions.
MessageCounts counts_of_call(const Point& point, const MessageCounts& part, std::int64_t messages) {
  const auto share = [](std::int64_t all, std::int64_t some, std::int64_t of) {
    return std::llround(static_cast<double>(all) * static_cast<double>(some) /
                        static_cast<double>(of));
  };
  MessageCounts all{.messages = messages, .wire_bytes = wire_bytes_of(point)};
  all.eager_messages = messages;  // for_devices()
  all.intra_node_messages = share(messages, part.intra_node_messages, part.messages);
  all.intra_node_bytes = share(all.wire_bytes, part.intra_node_bytes, part.wire_bytes);
  return all;
}

struct DeviceEstimate {
  DeviceEnds ends;
  double error = 0;
  MessageCounts part;  // messages in the proportions of the call's
};

Result<DeviceEstimate> estimate_ring(const StepJob& job, DeviceCall& call) {
  const int few = call.few_nodes();
  DeviceEstimate estimate;
  for (const StepPhase& phase : job.phases) {
    const DeviceSlope slope = TUTTI_TRY(find_slope(call, few, phase, ring_loops));
    const bool is_first = &phase == &job.phases.front();
    double difference = slope.difference;
    double steps = static_cast<double>(phase.count);
    if (is_first) {
      estimate.part = slope.part.counts;
      estimate.ends = slope.part.ends;
      steps -= slope.steps;
    }
    if (few < call.nodes()) {
      const DeviceSlope other = TUTTI_TRY(find_slope(call, call.fewer_nodes(), phase, ring_loops));
      difference = std::max(difference, std::abs(other.of_step.most_s / slope.of_step.most_s - 1));
    }
    estimate.ends = estimate.ends + slope.of_step * steps;
    const Seconds between_s =
        few == call.nodes() ? 0 : call.latency_difference(few) / job.placement.ppn;
    const double of_step = difference + between_s / slope.of_step.most_s;
    estimate.error += scaled_error(of_step, std::abs(steps), slope, estimate.ends.most_s);
  }
  return estimate;
}

Result<DeviceEstimate> estimate_pipeline(DeviceCall& call) {
  const int few = call.few_nodes();
  const StepPhase& phase = call.phase();
  const DeviceSlope slope = TUTTI_TRY(find_slope(call, few, phase, pipeline_chunks));
  double difference = slope.difference;
  DeviceEstimate estimate{slope.part.ends, 0, slope.part.counts};
  if (few < call.nodes()) {
    const auto whole = TUTTI_TRY(call.simulate(call.nodes(), phase, first_chunks));
    const auto part = TUTTI_TRY(call.simulate(few, phase, first_chunks));
    estimate.ends = whole.ends + (slope.part.ends - part.ends);
    estimate.part = whole.counts;
    const DeviceSlope other =
        TUTTI_TRY(find_slope(call, call.fewer_nodes(), phase, pipeline_chunks));
    difference = std::max(difference, std::abs(other.of_step.most_s / slope.of_step.most_s - 1));
  }
  const double steps = static_cast<double>(phase.count) - slope.steps;
  estimate.ends = estimate.ends + slope.of_step * steps;
  estimate.error = scaled_error(difference, steps, slope, estimate.ends.most_s);
  return estimate;
}

// Messages of the simulations, approximately.
std::int64_t messages_of_samples(const DeviceCall& call, const StepJob& job,
                                 std::int64_t messages) {
  const double of_step = static_cast<double>(messages) / static_cast<double>(job.all_steps());
  const double part = static_cast<double>(call.ranks_on(call.few_nodes())) / job.procs();
  const double twice = call.few_nodes() < call.nodes() ? 1.5 : 1;
  if (!call.is_ring())
    return std::llround(of_step * (part * 96 * static_cast<double>(call.phase().period) * twice +
                                   (part < 1 ? first_chunks : 0)));
  const auto period = static_cast<double>(call.period(call.ranks_on(call.few_nodes())));
  return std::llround(static_cast<double>(job.phases.size()) * of_step * part * 6 * period * twice);
}

}  // namespace

std::int64_t device_messages_to_simulate(const Point& point) {
  const std::int64_t all = workloads::expected_messages(point.call, point.placement.procs);
  const bool is_long = all > fewest_device_messages && !phases_of(point).empty();
  return is_long ? std::min<std::int64_t>(all, 1'000'000) : all;
}

Result<std::optional<Extrapolated>> of_device_call(const StepJob& job) {
  const std::int64_t messages = workloads::expected_messages(job.point.call, job.procs());
  const auto& nodes = *job.point.call.args.hierarchy;
  if (messages < fewest_device_messages || job.phases.empty() || !nodes.groups_are_equal())
    return std::optional<Extrapolated>();
  DeviceCall call(job);
  if (messages_of_samples(call, job, messages) > messages / 2) return std::optional<Extrapolated>();
  const DeviceEstimate estimate =
      TUTTI_TRY(call.is_ring() ? estimate_ring(job, call) : estimate_pipeline(call));
  if (estimate.error > small_error && messages <= most_affordable)
    return std::optional<Extrapolated>();
  return std::optional(Extrapolated{
      .method = "loops",
      .time_s = estimate.ends.most_s,
      .time_mean_s = estimate.ends.mean_s,
      .time_min_s = estimate.ends.least_s,
      .error = std::max(least_loops_error, estimate.error),
      .counts = counts_of_call(job.point, estimate.part, messages),
      .steps = job.all_steps(),
      .simulated_steps = std::min(job.all_steps(), call.loops() * call.period(job.procs()))});
}

}  // namespace tutti::jobs::extrapolation
