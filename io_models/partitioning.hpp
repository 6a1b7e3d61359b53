// SPDX-License-Identifier: BSD-3-Clause
// How a file is partitioned among the aggregators, and its array among the processes: the cases of
// Jha's dissertation (sections 5.1.2 and 5.1.3).
#pragma once

#include "sim/base/common.hpp"

namespace tutti::io_models {

// An exact quotient: three times a third of 32 MiB is 32 MiB, without an additional cycle from
// rounding in doubles.

__extension__ using Wide = __int128;  // beyond 64 bits; not standard C++

// Both parts must be above 0 and below 2^63, so that a product of two fits.
struct Ratio {
  Wide over = 0;
  Wide under = 1;

  bool operator<(const Ratio& other) const { return over * other.under < other.over * under; }
  double value() const { return static_cast<double>(over) / static_cast<double>(under); }
};

// a / b, rounded up; a >= 0, b > 0.
inline Wide ceil_div(Wide a, Wide b) { return a / b + (a % b != 0 ? 1 : 0); }

// For a number that is known to fit.
inline std::int64_t narrow(Wide number) { return static_cast<std::int64_t>(number); }

enum class Partitioning {
  even,    // one contiguous domain for each aggregator
  static_  // units of a fixed size, round robin
};
inline const std::vector<std::string> partitioning_names{"even", "static"};

enum class Layout {
  one_d,  // a process has one contiguous piece of the file
  two_d   // a process has a block of the rows and columns of an array
};
inline const std::vector<std::string> layout_names{"1d", "2d"};

inline std::string_view name_of(Partitioning partitioning) {
  return partitioning_names[partitioning == Partitioning::even ? 0 : 1];
}
inline std::string_view name_of(Layout layout) {
  return layout_names[layout == Layout::one_d ? 0 : 1];
}

// The `place` of the errors is empty: the caller sets its option.
inline Result<Partitioning> parse_partitioning(std::string_view text) {
  if (text == partitioning_names[0]) return Partitioning::even;
  if (text == partitioning_names[1]) return Partitioning::static_;
  return usage_error("", "unknown partitioning " + in_quotes(text),
                     did_you_mean(text, partitioning_names, "expected even or static"));
}

}  // namespace tutti::io_models
