// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/memory_estimate.hpp"

#include <sys/resource.h>

#include <fstream>

#include "platforms/placement.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "sim/jobs/messages_at_once.hpp"
#include "sim/jobs/time_estimate.hpp"

namespace tutti::jobs {
namespace {

// Memory that an engine needs, in bytes. The values were measured, with a margin: an idle actor of
// SimGrid takes 10.5 KiB, and twice that with messages in flight; a rank of the other engines is
// its coroutine, in `flow` also its flow and its links. If all messages are in flight at once
// (alltoall linear, 512 to 2,048 ranks, 8 B and 4 KiB), a message and its two requests take 223 B
// in `ideal`, 383 B in `flow`, 1.2 KiB in `simgrid`.
struct Need {
  Bytes per_rank;
  Bytes per_segment;
  Bytes per_message;  // of algorithms that post to all ranks at once
};
// Memory of the program without a job.
constexpr Bytes of_program = 10 * 1024 * 1024;
// Memory of a message in flight in an exchange that engine `flow` simulates as a whole, without
// requests (measured 130 to 165 B with 350,000 to 960,000 messages). A channel takes 700 B, or more
// if messages are divided over several paths.
constexpr Bytes per_message_in_flight = 256;
constexpr Bytes per_channel(const platforms::Machine& machine) {
  return machine.routing > platforms::Routing::hashed ? 1792 : 768;
}
// Memory of outdated ends in the queues of bundles, per channel, and the number of channels from
// which on there are many: measured for a linear alltoall of 256 ranks with paths of their own.
constexpr std::int64_t fewest_in_bundles = 1 << 15;
constexpr Bytes per_member = 4096;
constexpr Need need_of(engines::EngineKind engine) {
  switch (engine) {
    case engines::EngineKind::simgrid:
      return {20 * 1024, 8 * 1024, 1536};
    case engines::EngineKind::flow:
      return {2560, 1024, 448};
    case engines::EngineKind::ideal:
      break;
  }
  return {1024, 1024, 256};
}

// Returns the engine that needs the most memory: --verify simulates with simgrid, too.
engines::EngineKind largest_engine(const Point& point) {
  return uses_simgrid(point) ? engines::EngineKind::simgrid : point.engine;
}

Bytes need_of_ranks(const Point& point) {
  return need_of(largest_engine(point)).per_rank * point.placement.procs;
}
Bytes need_of_segments(const Point& point) {
  return need_of(largest_engine(point)).per_segment * workloads::segments_of(point.call);
}

Bytes need_of_messages(const Point& point, const MessagesAtOnce& at_once,
                       const platforms::Machine* machine) {
  const auto engine = largest_engine(point);
  const Bytes bytes = at_once.messages *
                      (at_once.have_requests ? need_of(engine).per_message : per_message_in_flight);
  if (machine == nullptr || engine != engines::EngineKind::flow) return bytes;
  const bool has_bundles = has_paths_by_rank(*machine) && at_once.channels >= fewest_in_bundles;
  return bytes + at_once.channels * (per_channel(*machine) + (has_bundles ? per_member : 0));
}

Bytes need_of_job(const Point& point, Bytes of_messages) {
  return need_of_ranks(point) + need_of_segments(point) + of_messages;
}

Bytes need_of_inside(const Point& point) {
  return memory_of(point.inside, point.placement.procs, workloads::segments_of(point.call));
}

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

// The other algorithms of the point's collective that run with its arguments and whose memory does
// not exceed `free_bytes`, the one with the fewest simulated messages first, and the time of those
// that take minutes: "modified_bruck, pairwise (up to 1 minute, sampled), scattered (about 5
// minutes)". Empty if there are none.
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

}  // namespace

std::string rounded_memory(Bytes bytes) {
  constexpr Bytes mebibyte = 1024 * 1024;
  constexpr Bytes gibibyte = 1024 * mebibyte;
  if (bytes >= 10 * gibibyte) return fmt::format("{} GiB", bytes / gibibyte);
  return fmt::format("{} MiB", bytes / mebibyte);
}

Bytes memory_estimate(const Point& point, const platforms::Machine* machine) {
  if (point.model_only) return 0;
  const Bytes of_messages = need_of_messages(point, messages_at_once(point, machine), machine);
  return of_program + need_of_job(point, of_messages) + need_of_inside(point);
}

std::int64_t messages_that_fit(const platforms::Machine& machine) {
  constexpr double usable = 0.9;
  const auto free_bytes = free_memory();
  if (!free_bytes) return 0;
  return static_cast<std::int64_t>(usable * static_cast<double>(*free_bytes)) /
         (per_message_in_flight + (has_paths_by_rank(machine) ? per_channel(machine) : 0));
}

std::optional<Bytes> proc_bytes(std::istream& file, std::string_view key) {
  for (std::string word; file >> word;) {
    Bytes kibibytes = 0;
    if (word == key && file >> kibibytes) return kibibytes * 1024;
  }
  return std::nullopt;
}

std::optional<Bytes> available_memory(std::istream& meminfo) {
  return proc_bytes(meminfo, "MemAvailable:");
}

std::optional<Bytes> free_memory() {
  std::ifstream meminfo("/proc/meminfo");
  auto free_bytes = available_memory(meminfo);
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return free_bytes;
  const auto most = std::numeric_limits<Bytes>::max();
  const auto limit_bytes = static_cast<Bytes>(std::min<rlim_t>(limit.rlim_cur, most));
  return std::min(free_bytes.value_or(most), limit_bytes);
}

std::optional<Error> check_memory(const Point& point, Bytes free_bytes,
                                  const platforms::Machine* machine) {
  if (point.model_only) return std::nullopt;
  const MessagesAtOnce at_once = messages_at_once(point, machine);
  const Bytes of_messages = need_of_messages(point, at_once, machine);
  const Bytes of_the_job = need_of_job(point, of_messages);
  const Bytes of_all = of_the_job + need_of_inside(point);
  const Bytes estimate = of_program + of_all;
  if (estimate <= free_bytes) return std::nullopt;
  const bool segments = need_of_segments(point) > need_of_ranks(point);
  const bool messages = of_messages > need_of_ranks(point);
  const bool can_shrink = uses_simgrid(point);
  const bool looks_inside = of_all > 2 * of_the_job;
  std::string load = segments ? fmt::format("{} segments", workloads::segments_of(point.call))
                              : fmt::format("{} processes", point.placement.procs);
  if (messages) load += fmt::format(" with {} messages in flight", at_once.messages);
  const std::string others =
      messages && machine != nullptr ? other_algorithms(point, *machine, free_bytes) : "";
  return usage_error(
      segments ? "--segment-size" : "--procs",
      fmt::format("{} need about {} of memory in the {} engine; {} are free", load,
                  rounded_memory(estimate), engines::engine_name(largest_engine(point)),
                  rounded_memory(free_bytes)),
      fmt::format("use fewer{}{}{}{}; --force simulates anyway",
                  messages ? ", or another algorithm" : "", others.empty() ? "" : ": " + others,
                  !can_shrink    ? ""
                  : point.verify ? ", or omit --verify"
                                 : ", or --engine flow",
                  looks_inside ? ", or record less (--critical-path, --trace-ranks)" : ""));
}

}  // namespace tutti::jobs
