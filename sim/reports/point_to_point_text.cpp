// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/point_to_point_text.hpp"

#include <fmt/format.h>

#include "sim/base/quote.hpp"
#include "sim/base/rate.hpp"

namespace tutti::reports {

std::string us_text(const std::optional<Seconds>& time_s) {
  if (!time_s) return "-";
  const double time_us = *time_s * 1e6;
  // Limits of what is printed: 0.09999 is 0.100 too.
  if (time_us > 0 && time_us < 0.09995) return fmt::format("{:.3g}", time_us);
  return fmt::format("{:.{}f}", time_us, time_us < 9.9995 ? 3 : 2);
}

std::string route_text(const RouteText& route) {
  const std::string ends = route.from == route.to ? "inside node " + route.from
                                                  : fmt::format("{} -> {}", route.from, route.to);
  return printable(fmt::format("{}, latency {}, at most {}", ends, format_seconds(route.latency_s),
                               format_rate(route.bandwidth_Bps)));
}

}  // namespace tutti::reports
