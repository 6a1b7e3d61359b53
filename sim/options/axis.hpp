// SPDX-License-Identifier: BSD-3-Clause
// Numbers of an option that together make an axis of the output:
//   64KiB   1,3,5   1:1MiB (doubling)   1:1000:*10   2:16:+2   0,1:64
// A range ends at the last value that is not above its end.
#pragma once

#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::options {

inline constexpr std::size_t max_points = 100'000;

using ParseValue = Result<std::int64_t> (*)(std::string_view);

// What an axis may hold: `parse` reads one value (bytes or plain numbers); others are refused.
struct AxisKind {
  ParseValue parse;
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;
  std::string_view hint{};  // in place of the parser's own where a value cannot be read
};

// Values in the order given. The errors' place is left to the caller.
Result<std::vector<std::int64_t>> parse_axis(std::string_view text, const AxisKind& kind);

// Told before any point is made: axes of these lengths, of which an empty one counts as one value,
// make more than max_points.
std::optional<Error> too_many_points(const std::vector<std::size_t>& lengths);

// What the numbers of options may be that several readers take: the command line, sets of
// parameters.

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
