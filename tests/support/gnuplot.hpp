// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>

namespace tutti::tests {

// True if gnuplot is installed, so that tests can check pictures in addition to programs.
inline bool has_gnuplot() {
  static const bool found = std::system("command -v gnuplot > /dev/null") == 0;
  if (!found) MESSAGE("gnuplot is not installed: pictures are not tested");
  return found;
}

}  // namespace tutti::tests
