// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/rate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace tutti {

std::string format_rate(double Bps) {
  constexpr const char* units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s", "EB/s"};
  if (std::isinf(Bps)) return "no limit";
  std::size_t unit = 0;
  for (; Bps >= 999.95 && unit + 1 < std::size(units); ++unit) Bps /= 1000;
  return fmt::format("{:.4g} {}", Bps, units[unit]);
}

}  // namespace tutti
