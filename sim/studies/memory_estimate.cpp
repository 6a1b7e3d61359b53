// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/memory_estimate.hpp"

#include <sys/resource.h>

#include <fstream>

#include "algorithms/guidelines/mockup.hpp"
#include "platforms/placement.hpp"
#include "sim/studies/extrapolation/extrapolation.hpp"
#include "sim/studies/messages_at_once.hpp"
#include "sim/studies/starts.hpp"

namespace tutti::studies {
namespace {

// Measured, with a margin: an idle actor of SimGrid takes 10.5 KiB, with messages in flight twice
// that; a rank of the other engines is its coroutine, in `flow` also its flow and its links. If all
// messages are in flight at once (alltoall linear, 512 to 2,048 ranks, 8 B and 4 KiB), a message
// and its two requests take 223 B in `ideal`, 383 B in `flow`, 1.2 KiB in `simgrid`.
struct Need {
  Bytes per_rank;
  Bytes per_segment;
  Bytes per_message;  // for algorithms that post to all ranks at once
};
// In `flow`, of exchanges that are simulated as a whole: a message in flight, without requests
// (measured 130 to 165 B with 350,000 to 960,000 messages). If the pairs of ranks have paths of
// their own, each message in flight has a channel, too (measured 700 B).
constexpr Bytes per_message_in_flight = 256;
constexpr Bytes per_channel = 768;
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

// The engine that needs the most memory: --verify simulates with simgrid, too.
engines::EngineKind largest_engine(const Point& point) {
  return uses_simgrid(point) ? engines::EngineKind::simgrid : point.engine;
}

Bytes need_of_ranks(const Point& point) {
  return need_of(largest_engine(point)).per_rank * point.placement.procs;
}
Bytes need_of_segments(const Point& point) {
  return need_of(largest_engine(point)).per_segment * workloads::segments_of(point.call);
}

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

// Messages that exist at once, and their memory.
struct AtOnce {
  std::int64_t messages = 0;
  Bytes per_message = 0;

  Bytes bytes() const { return per_message * messages; }
};

// Messages whose requests are pending at once on both sides, between all pairs of ranks.
AtOnce pending_messages(const Point& point) {
  if (!posts_to_all(point)) return {};
  const std::int64_t others = point.placement.procs - 1;
  const std::int64_t limit = point.call.args.max_requests;
  const std::int64_t at_once = limit > 0 ? std::min(limit, others) : others;
  return {at_once * point.placement.procs, need_of(largest_engine(point)).per_message};
}

Bytes per_path(const platforms::Machine& machine) {
  return machine.limits_ranks() || machine.has_routes_by_rank() ? per_channel : 0;
}

AtOnce messages_at_once(const Point& point, const platforms::Machine* machine) {
  constexpr Bytes little = 256 * 1024 * 1024;  // not worth the examination of routes
  AtOnce all = pending_messages(point);
  if (all.bytes() < little || machine == nullptr) return all;
  if (!exchanges_as_a_whole(point, *machine)) {
    if (largest_engine(point) == engines::EngineKind::flow) all.per_message += per_path(*machine);
    return all;
  }
  all.per_message = per_message_in_flight + per_path(*machine);
  all.messages = messages_in_flight(point, *machine).value_or(all.messages);
  return all;
}

Bytes need_of_job(const Point& point, const AtOnce& messages) {
  return need_of_ranks(point) + need_of_segments(point) + messages.bytes();
}

Bytes need_of_inside(const Point& point) {
  return memory_of(point.inside, point.placement.procs, workloads::segments_of(point.call));
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
  return need_of_job(point, messages_at_once(point, machine)) + need_of_inside(point);
}

std::int64_t messages_that_fit(const platforms::Machine& machine) {
  constexpr double usable = 0.9;
  const auto free_bytes = free_memory();
  if (!free_bytes) return 0;
  return static_cast<std::int64_t>(usable * static_cast<double>(*free_bytes)) /
         (per_message_in_flight + per_path(machine));
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
  const AtOnce at_once = messages_at_once(point, machine);
  const Bytes of_the_job = need_of_job(point, at_once);
  const Bytes estimate = of_the_job + need_of_inside(point);
  if (estimate <= free_bytes) return std::nullopt;
  const bool segments = need_of_segments(point) > need_of_ranks(point);
  const bool messages = at_once.bytes() > need_of_ranks(point);
  const bool can_shrink = uses_simgrid(point);
  const bool looks_inside = estimate > 2 * of_the_job;
  std::string what = segments ? fmt::format("{} segments", workloads::segments_of(point.call))
                              : fmt::format("{} processes", point.placement.procs);
  if (messages) what += fmt::format(" with {} messages in flight", at_once.messages);
  return usage_error(
      segments ? "--segment-size" : "--procs",
      fmt::format("{} need about {} of memory in the {} engine; {} are free", what,
                  rounded_memory(estimate), engines::engine_name(largest_engine(point)),
                  rounded_memory(free_bytes)),
      fmt::format("use fewer{}{}{}; --force simulates anyway",
                  messages ? ", or another algorithm" : "",
                  !can_shrink    ? ""
                  : point.verify ? ", or omit --verify"
                                 : ", or --engine flow",
                  looks_inside ? ", or record less (--critical-path, --trace-ranks)" : ""));
}

namespace {

constexpr std::int64_t many_messages = 2'000'000'000;
constexpr double messages_per_s = 1e6;  // roughly, of the faster engines

std::int64_t messages_of(const Point& point) {
  return workloads::expected_messages(point.call, point.benchmark, point.placement.procs);
}

// "4.3 billion messages".
std::string counted_messages(std::int64_t messages) {
  const bool is_few = messages < 1'000'000'000;
  return fmt::format("{:.1f} {} messages", static_cast<double>(messages) / (is_few ? 1e6 : 1e9),
                     is_few ? "million" : "billion");
}

}  // namespace

std::string time_in_full(const Point& point) {
  const std::int64_t messages = messages_of(point);
  const double minutes = static_cast<double>(messages) / messages_per_s / 60;
  const bool is_short = minutes < 60;
  return fmt::format("{}, which take {:.1f} {} at about a million per second",
                     counted_messages(messages), is_short ? minutes : minutes / 60,
                     is_short ? "minutes" : "hours");
}

std::optional<std::string> long_run_warning(const Point& point) {
  if (messages_of(point) <= many_messages) return std::nullopt;
  return time_in_full(point);
}

std::optional<std::string> starts_note(const Point& point, const platforms::Machine& machine) {
  constexpr std::int64_t few_messages = 1'000'000;
  const std::int64_t messages = messages_of(point);
  const bool is_in_full = extrapolation::messages_to_simulate(point) == messages;
  if (2 * messages <= few_messages || !is_in_full) return std::nullopt;
  const auto placement = platforms::place(machine, point.placement);
  if (!placement || !may_depend_on_start(point, *placement)) return std::nullopt;
  return fmt::format(
      "{} are simulated twice{}; --exact-start simulates them once", counted_messages(messages),
      placement->ppn > 1 || point.starts.are_given
          ? fmt::format(", up to {} times if the ranks' start matters", 1 + point.starts.runs)
          : "");
}

}  // namespace tutti::studies
