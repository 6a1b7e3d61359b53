// SPDX-License-Identifier: BSD-3-Clause
// A quotient that is compared and rounded up exactly: a third of 32 MiB taken three times is 32
// MiB, and no cycle is added for the last bit of a double.
#pragma once

#include <cstdint>

namespace tutti::io_models {

__extension__ using Wide = __int128;  // beyond 64 bits; no part of standard C++

// Both parts above 0 and below 2^63, so that a product of two fits.
struct Ratio {
  Wide over = 0;
  Wide under = 1;

  bool operator<(const Ratio& other) const { return over * other.under < other.over * under; }
  double value() const { return static_cast<double>(over) / static_cast<double>(under); }
};

// a / b, rounded up; a >= 0, b > 0.
inline Wide ceil_div(Wide a, Wide b) { return a / b + (a % b != 0 ? 1 : 0); }

// Of a number that is known to fit.
inline std::int64_t narrow(Wide number) { return static_cast<std::int64_t>(number); }

}  // namespace tutti::io_models
