// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/time_estimate.hpp"

#include <fmt/format.h>

#include "platforms/placement.hpp"
#include "sim/studies/extrapolation/extrapolation.hpp"
#include "sim/studies/starts.hpp"

namespace tutti::studies {
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
  return fmt::format("{}; at about a million a second they take {:.1f} {}",
                     counted_messages(messages), is_short ? minutes : minutes / 60,
                     is_short ? "minutes" : "hours");
}

std::optional<std::string> told_if_long(const Point& point) {
  if (messages_of(point) <= many_messages) return std::nullopt;
  return time_in_full(point);
}

std::optional<std::string> said_of_starts(const Point& point, const platforms::Machine& machine) {
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
