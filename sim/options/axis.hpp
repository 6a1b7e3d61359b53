// SPDX-License-Identifier: BSD-3-Clause
// Values of an option that make an axis of the output:
//   64KiB   1,3,5   1:1MiB (doubling)   1:1000:*10   2:16:+2   0,1:64
// A range always includes its end.
#pragma once

#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::options {

inline constexpr std::size_t max_points = 100'000;

using ParseValue = Result<std::int64_t> (*)(std::string_view);

// The values that an axis accepts: `parse` reads one value (bytes or plain numbers). It must be
// from `least` to `most`.
struct AxisKind {
  ParseValue parse;
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;
  std::string_view hint{};  // replaces the parser's hint for an invalid value
};

// The values in the order given. The caller sets the place of errors.
Result<std::vector<std::int64_t>> parse_axis(std::string_view text, const AxisKind& kind);

// An error if axes of these lengths make more than max_points points. An empty axis counts as one
// value. Check before any point is made.
std::optional<Error> too_many_points(const std::vector<std::size_t>& lengths);

// Kinds of axes that several readers share: the command line, stored parameter sets.

// More than any machine will ever move, but small enough not to overflow.
inline constexpr Bytes most_bytes = Bytes{1} << 50;
// Short, since the whole list of units is too long for a line.
inline constexpr std::string_view units_hint = "for example 64KiB; see `sim help units`";
inline constexpr AxisKind bytes_axis{parse_bytes, 0, most_bytes, units_hint};
inline constexpr AxisKind some_bytes_axis{parse_bytes, 1, most_bytes, units_hint};
inline constexpr AxisKind count_axis{parse_integer, 1, platforms::most_procs};
inline constexpr AxisKind fanout_axis{parse_integer, 1, 1 << 20};
inline constexpr AxisKind limit_axis{parse_integer, 0, platforms::most_procs};  // 0: none

}  // namespace tutti::options
