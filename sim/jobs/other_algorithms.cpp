// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/other_algorithms.hpp"

#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/messages_at_once.hpp"
#include "sim/jobs/time_estimate.hpp"

namespace tutti::jobs {
namespace {

// The point with another algorithm; unset if that cannot run, or runs another one.
std::optional<Point> with_algorithm(const Point& point, const algorithms::Algorithm& algorithm,
                                    const platforms::Machine& machine) {
  const int procs = point.placement.procs;
  const auto& args = point.call.args;
  auto call = workloads::resolve({.collective = std::string(algorithm.collective),
                                  .algorithm = std::string(algorithm.name),
                                  .procs = procs,
                                  .message_bytes = args.message_bytes,
                                  .root = args.root,
                                  .element_bytes = args.element_bytes,
                                  .max_requests = args.max_requests,
                                  .commutative = args.commutative},
                                 machine, point.placement);
  if (!call) return std::nullopt;
  call->counts = point.call.counts;
  call->args.counts = args.counts;
  if (workloads::rejection(*call, machine, procs) || !workloads::runs_as(*call, procs).empty())
    return std::nullopt;
  Point other = point;
  other.requested_algorithm = algorithm.name;
  other.call = *std::move(call);
  return other;
}

// Whether the estimated time does not count how much the messages compete for links.
bool takes_long(const Point& point, const platforms::Machine& machine) {
  constexpr int few_procs = 2048;
  return has_paths_by_rank(machine) && point.placement.procs > few_procs;
}

std::string name_and_time(const Point& point, const platforms::Machine& machine) {
  const bool is_sampled =
      extrapolation::messages_to_simulate(point) <
      workloads::expected_messages(point.call, point.benchmark, point.placement.procs);
  const auto minutes = std::llround(estimated_seconds(point, machine) / 60);
  std::vector<std::string> remarks;
  if (takes_long(point, machine))
    remarks.emplace_back("minutes to hours");
  else if (minutes > 0)
    remarks.push_back(
        fmt::format("{} {}", is_sampled ? "up to" : "about", counted(minutes, "minute")));
  if (is_sampled) remarks.emplace_back("sampled");
  const auto name = std::string(point.call.algorithm->name);
  return remarks.empty() ? name : fmt::format("{} ({})", name, fmt::join(remarks, ", "));
}

}  // namespace

std::string other_algorithms(const Point& point, const platforms::Machine& machine,
                             Bytes free_bytes) {
  std::vector<Point> others;
  for (const auto* algorithm : algorithms::algorithms_of(point.call.algorithm->collective)) {
    if (algorithm == point.call.algorithm || algorithm->by_nodes) continue;
    auto other = with_algorithm(point, *algorithm, machine);
    if (other && memory_estimate(*other, &machine) <= free_bytes &&
        !extrapolation::too_long(*other))
      others.push_back(*std::move(other));
  }
  std::ranges::stable_sort(others, {}, extrapolation::messages_to_simulate);
  std::vector<std::string> names;
  for (const Point& other : others) names.push_back(name_and_time(other, machine));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace tutti::jobs
