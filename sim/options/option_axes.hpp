// SPDX-License-Identifier: BSD-3-Clause
// What the numbers of options may be that several readers take: the command line, sets of
// parameters.
#pragma once

#include <string_view>

#include "platforms/placement.hpp"
#include "sim/base/units.hpp"
#include "sim/options/axis.hpp"

namespace tutti::options {

// More than any machine will ever move, less than what overflows.
inline constexpr Bytes most_bytes = Bytes{1} << 50;
// The whole list of units is too long for a line.
inline constexpr std::string_view units_hint = "as in 64KiB; see `sim help units`";
inline constexpr AxisKind bytes_axis{parse_bytes, 0, most_bytes, units_hint};
inline constexpr AxisKind some_bytes_axis{parse_bytes, 1, most_bytes, units_hint};
inline constexpr AxisKind count_axis{parse_integer, 1, platforms::most_procs};
inline constexpr AxisKind fanout_axis{parse_integer, 1, 1 << 20};
inline constexpr AxisKind limit_axis{parse_integer, 0, platforms::most_procs};  // 0: none

}  // namespace tutti::options
