// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/memory_estimate.hpp"

#include <sys/resource.h>

#include <fstream>

#include "platforms/placement.hpp"
#include "sim/jobs/messages_at_once.hpp"
#include "sim/jobs/other_algorithms.hpp"

namespace tutti::jobs {
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
// The program without a job.
constexpr Bytes of_program = 10 * 1024 * 1024;
// In `flow`, of exchanges that are simulated as a whole: a message in flight, without requests
// (measured 130 to 165 B with 350,000 to 960,000 messages). A channel takes 700 B, or more if
// messages are divided over several paths.
constexpr Bytes per_message_in_flight = 256;
constexpr Bytes per_channel(const platforms::Machine& machine) {
  return machine.routing > platforms::Routing::hashed ? 1792 : 768;
}
// Measured for a linear alltoall of 256 ranks with paths of their own: outdated ends in the queues
// of bundles. With 128 ranks there are few.
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
  std::string what = segments ? fmt::format("{} segments", workloads::segments_of(point.call))
                              : fmt::format("{} processes", point.placement.procs);
  if (messages) what += fmt::format(" with {} messages in flight", at_once.messages);
  const std::string others =
      messages && machine != nullptr ? other_algorithms(point, *machine, free_bytes) : "";
  return usage_error(
      segments ? "--segment-size" : "--procs",
      fmt::format("{} need about {} of memory in the {} engine; {} are free", what,
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
