// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>

namespace tutti::tests {

// Where pictures can be looked at, not only their programs.
inline bool has_gnuplot() {
  static const bool found = std::system("command -v gnuplot > /dev/null") == 0;
  if (!found) MESSAGE("no gnuplot: pictures are not made");
  return found;
}

}  // namespace tutti::tests
