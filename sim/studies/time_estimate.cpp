// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/time_estimate.hpp"

#include <fmt/format.h>

namespace tutti::studies {
namespace {

constexpr std::int64_t many_messages = 2'000'000'000;
constexpr double messages_per_s = 1e6;  // roughly, of the faster engines

}  // namespace

std::optional<std::string> told_if_long(const Point& point) {
  const std::int64_t messages =
      workloads::expected_messages(point.call, point.benchmark, point.placement.procs);
  if (messages <= many_messages) return std::nullopt;
  const auto count = static_cast<double>(messages);
  return fmt::format("{:.1f} billion messages; at about a million a second they take {:.1f} hours",
                     count / 1e9, count / messages_per_s / 3600);
}

}  // namespace tutti::studies
