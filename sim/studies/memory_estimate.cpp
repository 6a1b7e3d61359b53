// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/memory_estimate.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "algorithms/guidelines/mockup.hpp"
#include "sim/base/error_list.hpp"

namespace tutti::studies {
namespace {

// Measured, with a margin: an idle actor of SimGrid takes 10.5 KiB, with messages under way twice
// that; a rank of the other engines is its coroutine, in `flow` also its flow and its links. Where
// all messages are under way at once (alltoall linear, 512 to 2,048 ranks, 8 B and 4 KiB), one and
// its two requests take 223 B in `ideal`, 383 B in `flow`, 1.2 KiB in `simgrid`.
struct Need {
  Bytes per_rank;
  Bytes per_segment;
  Bytes per_message;  // of an algorithm that posts to all
};
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

Bytes need_of_ranks(const Point& point) {
  return need_of(point.engine).per_rank * point.placement.procs;
}
Bytes need_of_segments(const Point& point) {
  return need_of(point.engine).per_segment * workloads::segments_of(point.call);
}

// Of a mock-up: a call inside does.
bool posts_to_all(const Point& point) {
  const auto* algorithm = point.call.algorithm;
  const auto* mockup = algorithms::guidelines::find_mockup(algorithm->collective, algorithm->name);
  if (mockup == nullptr) return algorithm->posts_to_all;
  const int procs = point.placement.procs;
  const auto calls = mockup->calls(point.call.args, procs);
  return std::ranges::any_of(calls, [&](const auto& call) {
    return algorithms::selection::decided(call.collective, procs, call.args)
        .algorithm->posts_to_all;
  });
}

// Messages of which both sides' requests are under way at once, each rank's with all others.
std::int64_t messages_to_all(const Point& point) {
  if (!posts_to_all(point)) return 0;
  const std::int64_t others = point.placement.procs - 1;
  const std::int64_t limit = point.call.args.max_requests;
  const std::int64_t at_once = limit > 0 ? std::min(limit, others) : others;
  return at_once * point.placement.procs;
}
Bytes need_of_messages(const Point& point) {
  return need_of(point.engine).per_message * messages_to_all(point);
}

}  // namespace

std::string rounded_memory(Bytes bytes) {
  constexpr Bytes mebibyte = 1024 * 1024;
  constexpr Bytes gibibyte = 1024 * mebibyte;
  if (bytes >= 10 * gibibyte) return fmt::format("{} GiB", bytes / gibibyte);
  return fmt::format("{} MiB", bytes / mebibyte);
}

Bytes memory_estimate(const Point& point) {
  if (point.model_only) return 0;
  return need_of_ranks(point) + need_of_segments(point) + need_of_messages(point) +
         memory_of(point.inside, point.placement.procs, workloads::segments_of(point.call));
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

std::optional<Error> check_memory(const Point& point, Bytes free_bytes) {
  const Bytes estimate = memory_estimate(point);
  if (estimate <= free_bytes) return std::nullopt;
  const Bytes of_messages = need_of_messages(point);
  const Bytes of_the_job = need_of_ranks(point) + need_of_segments(point) + of_messages;
  const bool segments = need_of_segments(point) > need_of_ranks(point);
  const bool messages = of_messages > need_of_ranks(point);
  const bool can_shrink = point.engine == engines::EngineKind::simgrid;
  const bool looks_inside = estimate > 2 * of_the_job;
  std::string what = segments ? fmt::format("{} segments", workloads::segments_of(point.call))
                              : fmt::format("{} processes", point.placement.procs);
  if (messages) what += fmt::format(" with {} messages under way", messages_to_all(point));
  return usage_error(
      segments ? "--segment-size" : "--procs",
      fmt::format("{} need about {} of memory in the {} engine; {} are free", what,
                  rounded_memory(estimate), engines::engine_name(point.engine),
                  rounded_memory(free_bytes)),
      fmt::format("take fewer{}{}{}; --force tries it all the same",
                  messages ? ", or another algorithm" : "", can_shrink ? ", or --engine flow" : "",
                  looks_inside ? ", or look at less (--critical-path, --trace-ranks)" : ""));
}

}  // namespace tutti::studies
