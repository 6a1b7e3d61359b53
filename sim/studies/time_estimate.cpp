// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/time_estimate.hpp"

#include <fmt/format.h>

namespace tutti::studies {
namespace {

constexpr std::int64_t many_messages = 2'000'000'000;
constexpr double messages_per_s = 1e6;  // roughly, of the faster engines

std::int64_t messages_of(const Point& point) {
  return workloads::expected_messages(point.call, point.benchmark, point.placement.procs);
}

}  // namespace

std::string time_in_full(const Point& point) {
  const auto messages = static_cast<double>(messages_of(point));
  const double minutes = messages / messages_per_s / 60;
  const bool is_short = minutes < 60;
  return fmt::format("{:.1f} {} messages; at about a million a second they take {:.1f} {}",
                     messages / (messages < 1e9 ? 1e6 : 1e9),
                     messages < 1e9 ? "million" : "billion", is_short ? minutes : minutes / 60,
                     is_short ? "minutes" : "hours");
}

std::optional<std::string> told_if_long(const Point& point) {
  if (messages_of(point) <= many_messages) return std::nullopt;
  return time_in_full(point);
}

}  // namespace tutti::studies
