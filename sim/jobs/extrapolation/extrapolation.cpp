// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/extrapolation.hpp"

#include "sim/jobs/extrapolation/device_calls.hpp"
#include "sim/jobs/extrapolation/rank_groups.hpp"
#include "sim/jobs/extrapolation/smaller_job.hpp"
#include "sim/jobs/time_estimate.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using algorithms::StepPhase;

// Extrapolates the same call with a vector of equal blocks; unset if that is another algorithm.
Result<std::optional<Extrapolated>> of_equal_blocks(const StepJob& job, Bytes block_bytes,
                                                    std::int64_t most_messages) {
  Point point = job.point;
  point.call.args.message_bytes = block_bytes * job.procs();
  const StepJob even{point, job.machine, job.placement, phases_of(point), job.watcher};
  if (even.phases.size() != job.phases.size() || is_uneven_ring(even.phases))
    return std::optional<Extrapolated>();
  return of_repeated_steps(even, {.most_messages = most_messages, .must_extrapolate = true});
}

double apart(const Extrapolated& one, const Extrapolated& other) {
  return std::max({std::abs(one.time_s - other.time_s),
                   std::abs(one.time_mean_s - other.time_mean_s),
                   std::abs(one.time_min_s - other.time_min_s)}) /
         one.time_s;
}

// Maximum number of messages of a sample: of repeating steps, which are fast to simulate, and of
// other steps.
constexpr std::int64_t most_repeated_messages = 16'000'000;
constexpr std::int64_t most_sampled_messages = 12'000'000;
constexpr std::int64_t most_grouped_messages = 6'000'000;

// Whether ranks of a node have different routes to the same node.
bool has_uneven_ranks(const platforms::Machine& machine) {
  return machine.sockets.count > 1 || machine.topology->rails() > 1;
}

bool looks_inside(const Point& point) {
  return point.want_traffic || point.want_ranks || point.inside.any() || !point.goal_file.empty();
}

// Shorter exchanges are simulated in full, or their steps are sampled.
bool may_be_grouped(const Point& point) {
  return workloads::expected_messages(point.call, point.placement.procs) >
             most_messages_for_accuracy &&
         exchange_kind(point) != ExchangeKind::none;
}

Error too_many(const std::string& reported, const std::string& why) {
  return usage_error("--extrapolate",
                     fmt::format("{}, and all must be simulated: {}", reported, why),
                     "--extrapolate off simulates all of them");
}

// Extrapolates the call from some of its steps; unset if all should be simulated. The error may be
// too large.
Result<std::optional<Extrapolated>> of_steps(const StepJob& job, std::int64_t messages) {
  if (job.phases.empty()) return std::optional<Extrapolated>();
  const bool must = messages > most_messages_in_full;
  const bool affordable = messages <= most_messages_for_accuracy;
  const bool is_uneven = is_uneven_ring(job.phases);
  if (job.phases.front().period > 0 && !is_uneven)
    return of_repeated_steps(job,
                             {.most_messages = most_repeated_messages, .must_extrapolate = must});
  if (job.machine.has_routes_by_rank() || has_uneven_ranks(job.machine))
    return std::optional<Extrapolated>();
  if (!must || (is_uneven && affordable)) return std::optional<Extrapolated>();
  auto reported = TUTTI_TRY(is_uneven ? of_uneven_blocks(job, most_repeated_messages)
                                      : of_sampled_steps(job, most_sampled_messages,
                                                         affordable ? accurate_error : most_error));
  if (affordable && reported.error > accurate_error) return std::optional<Extrapolated>();
  return std::optional(std::move(reported));
}

Error too_inaccurate(const Point& point, double error) {
  return usage_error(
      "--extrapolate",
      fmt::format("the estimated error of a sample of the steps is {:.0f} %, and all steps have {}",
                  100 * error, time_in_full(point)),
      "--extrapolate off simulates all of them");
}

}  // namespace

bool is_uneven_ring(const std::vector<StepPhase>& phases) {
  return std::ranges::any_of(phases, [](const StepPhase& phase) {
    return phase.period > 0 && phase.block_bytes != nullptr;
  });
}

Result<Extrapolated> of_uneven_blocks(const StepJob& job, std::int64_t most_messages) {
  const StepPhase& whole_blocks = job.phases.back();
  const Bytes longest = whole_blocks.message_bytes;
  const Bytes shortest =
      std::max<Bytes>(whole_blocks.bytes_of(job.procs() - 1), job.point.call.args.element_bytes);
  const auto long_ring = TUTTI_TRY(of_equal_blocks(job, longest, most_messages));
  const auto short_ring = TUTTI_TRY(of_equal_blocks(job, shortest, most_messages));
  if (!long_ring || !short_ring) return Extrapolated{.method = {}, .error = 1, .counts = {}};

  std::int64_t shorter = 0;
  for (std::int64_t block = 0; block < job.procs(); ++block)
    shorter += whole_blocks.bytes_of(block) < longest ? 1 : 0;
  const double off = apart(*long_ring, *short_ring);
  // A few short blocks save their own steps, and one step of the ranks that wait for them.
  const double if_few = (2 * off * static_cast<double>(shorter) + 1) / job.procs();

  const auto counted = TUTTI_TRY(run(job, first_steps_of(job, 1)));
  Extrapolated reported = *long_ring;
  reported.method = "equal_blocks";
  reported.error = std::max({reported.error, (short_ring)->error, std::min(off, if_few)});
  reported.counts = counts_of_all(job, counted);
  reported.simulated_steps += (short_ring)->simulated_steps + counted.simulated_steps(job);
  return reported;
}

std::string obstacle(const Point& point) {
  if (!point.extrapolates) return "--extrapolate off";
  if (!point.benchmark.is_plain()) return "skew and noise make all steps different";
  if (point.engine == engines::EngineKind::ideal) return "engine ideal";
  if (point.engine != engines::EngineKind::flow && !point.engine_is_chosen)
    return "engine simgrid is requested";
  if (looks_inside(point)) return "details of ranks or messages are requested";
  if (phases_of(point).empty() && !may_be_grouped(point))
    return "the algorithm has no steps that represent others";
  return {};
}

std::optional<Error> too_long(const Point& point) {
  if (!point.extrapolates || point.model_only) return std::nullopt;
  const auto reported = many_messages_warning(point);
  if (!reported) return std::nullopt;
  const std::string why = obstacle(point);
  if (why.empty()) return std::nullopt;
  return too_many(*reported, why);
}

std::optional<std::int64_t> messages_of_groups(const Point& point,
                                               const platforms::Machine& machine) {
  if (!obstacle(point).empty() || !may_be_grouped(point)) return std::nullopt;
  const auto placement = platforms::place(machine, point.placement);
  if (!placement) return std::nullopt;
  const StepJob job{point, machine, *placement, phases_of(point)};
  return grouped_messages(job, usual_limits(job));
}

namespace {

// Whether the call is one of NCCL's loops, and may be extrapolated.
bool repeats_on_devices(const Point& point) {
  return point.call.algorithm->device_protocol && !phases_of(point).empty() &&
         obstacle(point).empty();
}

}  // namespace

std::int64_t messages_to_simulate(const Point& point) {
  if (point.model_only) return 0;
  if (repeats_on_devices(point)) return device_messages_to_simulate(point);
  const std::int64_t all =
      workloads::expected_messages(point.call, point.benchmark, point.placement.procs);
  if (all <= most_messages_in_full || !obstacle(point).empty()) return all;
  if (may_be_grouped(point)) return std::min(all, most_grouped_messages);
  const auto phases = phases_of(point);
  const bool is_exact = phases.front().period > 0 && !is_uneven_ring(phases);
  if (all <= most_messages_for_accuracy && !is_exact) return all;
  if (phases.front().period > 0) return std::min(all, most_repeated_messages);
  // With the smaller jobs, in full and as a sample of half of their steps at most.
  return most_sampled_messages + std::int64_t{3} * most_procs_in_full * most_procs_in_full;
}

Result<std::optional<Extrapolated>> extrapolate(const Point& point,
                                                const platforms::Machine& machine,
                                                const platforms::Placement& placement,
                                                runtime::Observer* watcher) {
  const std::int64_t messages = workloads::expected_messages(point.call, point.placement.procs);
  if (repeats_on_devices(point)) {
    auto reported =
        TUTTI_TRY(of_device_call({point, machine, placement, phases_of(point), watcher}));
    if (reported && reported->error > most_error) return too_inaccurate(point, reported->error);
    return reported;
  }
  if (messages < fewest_messages || !obstacle(point).empty()) return std::optional<Extrapolated>();
  const StepJob job{point, machine, placement, phases_of(point), watcher};
  std::optional<Extrapolated> grouped;
  if (may_be_grouped(point)) grouped = TUTTI_TRY(of_rank_groups(job, usual_limits(job)));
  if (grouped && grouped->error <= accurate_error) return grouped;
  auto by_steps = TUTTI_TRY(of_steps(job, messages));
  if (grouped && (!by_steps || by_steps->error >= grouped->error)) by_steps = std::move(grouped);
  if (by_steps && by_steps->error > most_error) return too_inaccurate(point, by_steps->error);
  if (by_steps) return by_steps;
  if (const auto reported = many_messages_warning(point); reported && job.phases.empty())
    return too_many(*reported, "groups of ranks do not represent them");
  return by_steps;
}

}  // namespace tutti::jobs::extrapolation
