// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/rounded_bytes.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tutti {

std::string rounded_bytes(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace tutti
