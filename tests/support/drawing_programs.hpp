// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>

namespace tutti::tests {

// True if node and rsvg-convert are installed, so that tests can check pictures in addition to
// specifications.
inline bool has_drawing_programs() {
  static const bool found = std::system("command -v node rsvg-convert > /dev/null") == 0;
  if (!found) MESSAGE("node or rsvg-convert is not installed: pictures are not tested");
  return found;
}

}  // namespace tutti::tests
