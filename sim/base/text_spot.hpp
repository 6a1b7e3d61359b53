// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace tutti {

// A position in a text file, from 1, in bytes; column 0: the whole line; line 0: no file, but the
// command line.
struct TextSpot {
  int line = 0;
  int column = 0;
  std::size_t source = 0;  // which file, where several make a study
};

}  // namespace tutti
