// SPDX-License-Identifier: BSD-3-Clause
// Numbers of an option that together make an axis of the output:
//   64KiB   1,3,5   1:1MiB (doubling)   1:1000:*10   2:16:+2   0,1:64
// A range ends at the last value that is not above its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/result.hpp"

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

}  // namespace tutti::options
