// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace tutti::studies {

// A position in a TOML file, from 1, in bytes; column 0: the whole line.
struct TomlSpot {
  int line = 0;
  int column = 0;
  std::size_t source = 0;  // which file, where several make a study
};

}  // namespace tutti::studies
